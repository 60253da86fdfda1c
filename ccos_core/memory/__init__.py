"""The working memory: entries derived from the record, the port that stores them, and the facade in front of it."""
