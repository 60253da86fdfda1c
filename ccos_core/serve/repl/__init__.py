"""The post-mortem: commands from a pipe or a terminal, a cursor, answers on stdout, and what goes wrong on stderr."""
