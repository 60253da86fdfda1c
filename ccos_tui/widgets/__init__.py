"""What is seen: each draws rows and says what was pressed on it; none knows an engine."""
