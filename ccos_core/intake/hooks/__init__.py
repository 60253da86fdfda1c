"""What hosts say through hooks while their agents work: one event at a time, read like the records of a transcript."""
