"""`export` in the formats of others: trajectories, spans, and pages and tables to read."""
