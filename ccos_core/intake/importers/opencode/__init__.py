"""OpenCode: its sessions, live or exported, and what its tools did to files."""
