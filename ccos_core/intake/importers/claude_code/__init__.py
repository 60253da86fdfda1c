"""Claude Code: records of a session and of its subagents, what its tools did, what it compacted and attached."""
