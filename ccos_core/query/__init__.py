"""Questions, one file or folder each: pure functions from what is known to a frozen answer."""
