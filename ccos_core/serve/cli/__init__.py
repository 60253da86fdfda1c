"""The commands. Each lives in a file of its family and is imported when somebody calls it."""
