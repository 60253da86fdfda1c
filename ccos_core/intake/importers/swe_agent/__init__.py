"""SWE-agent: trajectories, and the windows its tools show."""
