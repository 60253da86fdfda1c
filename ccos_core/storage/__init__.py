"""The drivers: the only rooms that open the files of a workspace. What they keep is decided in `log` and `ops`."""
