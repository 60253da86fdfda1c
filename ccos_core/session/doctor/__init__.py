"""What is wrong with an installation, and how each thing is mended.

`findings` has what a look says, `examining` the table of looks; each look is a function that takes a patient and says
what it sees. Nothing here changes anything.
"""
