"""The fold: what the record's ops and facts add up to at a step. Pure; knows no log, no clock, no disk."""
