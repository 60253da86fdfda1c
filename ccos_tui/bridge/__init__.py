"""The only way from the screens to the engine: questions go in, messages come out.

`ask` is what a screen says, `queue` holds the newest question of each pane, `engine` answers them on a thread of its
own, `ahead` finds out what may be asked next while nobody asks, and `steps` reads the lines of ops at once, for a list
must not wait for an answer.
"""
