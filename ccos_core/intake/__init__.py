"""Foreign formats become observations. Nothing here makes an op: `session.admit` is the one gate."""
