"""Answers and commands, as words and as JSON: what people, scripts and agents talk to. Knows no screen."""
