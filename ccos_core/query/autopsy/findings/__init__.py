"""Findings about a session, one kind in one file, all registered in `table.py` with what each costs.

A finder gets the session's `Work` and returns findings: what happened, how sure that is, and the evidence by step.
What the user said counts as evidence only if the user typed it (see `prompts.py`). Text that a tool printed or a file
holds is never taken for the user's words, and a call counts as refused only by its own outcome (see `calls.py`).
"""
