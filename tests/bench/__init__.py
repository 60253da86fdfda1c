"""Speed, measured when asked: `python -m tests.bench`. The suite only tries whether each benchmark still runs."""
