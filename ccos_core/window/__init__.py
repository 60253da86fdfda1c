"""What an agent sees: the text that fits a budget, with the reason for each item. Pure."""
