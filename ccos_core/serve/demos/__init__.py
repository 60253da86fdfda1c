"""The demonstrations: sessions that we wrote, told as an agent's host would write them down."""
