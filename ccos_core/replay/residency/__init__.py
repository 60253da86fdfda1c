"""Who was in whose window, at every step at once: passes over the journal's columns instead of a window per step."""
