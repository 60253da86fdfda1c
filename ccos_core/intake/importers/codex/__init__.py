"""Codex: rollouts of all versions, what its tools printed, and the history that a compaction left."""
