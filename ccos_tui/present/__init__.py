"""Answers as rows: pure functions, which know no widget and no engine."""
