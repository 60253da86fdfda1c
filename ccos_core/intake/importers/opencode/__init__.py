"""OpenCode: its export, and what its tools did."""
