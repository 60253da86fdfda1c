"""What a tool call did to files, told from its name, its arguments and its result: the same for importers and hooks.

A host's tools are told apart in the file of that host (`importers`, later `hooks`); what they did is one of the effects
of `effects`; `files` knows what is known of each file by then and turns effects into observations.
"""

VERSION = 2
"""Goes up whenever the same call may be read as having done something else to files. 1 had parsers of its own."""
