"""Gemini CLI's chat recordings: the lines of today's versions, the one document of older ones, and what tools did."""
