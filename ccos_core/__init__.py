"""The engine of ccos-tui: record, fold, ask and serve an agent's working memory. Runs without any screen.

Importing this costs nothing; the rooms are imported by their own names, e.g. `ccos_core.session.session`.
"""
