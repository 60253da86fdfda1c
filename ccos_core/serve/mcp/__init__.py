"""The server an agent talks to: the protocol on one side, what it offers on the other."""
