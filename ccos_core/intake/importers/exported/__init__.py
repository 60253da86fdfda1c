"""Formats that `export` writes and other programs too: trajectories and spans."""
