"""Rules that many sessions taught: what reads them, and what they rest on, from a record."""
