"""How answers look: rows of spans with roles, and what rows are made of. Every door shows the same rows.

A question's presenter turns its answer into rows (`rows.py`). The shell prints them, `--plain` reads them aloud
(`aloud.py`), panes draw them. A presenter is asked for a `View`, which says how wide it is and how much is wanted.
"""
