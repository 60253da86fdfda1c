"""Sessions written by us, each with its story and its answer; see README.md."""
