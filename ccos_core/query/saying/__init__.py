"""What was said to the agent and by it: the user's words, what the agent declares, what files instruct."""
