"""Sources, read: which symbols a file defines, what it imports, what refers to what. Pure, and per file."""
