"""Formats whose records are messages of a chat: one function each says what a record tells; one reader tells it."""
