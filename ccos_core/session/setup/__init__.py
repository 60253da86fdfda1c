"""Wiring the agents of this machine: what is written into whose configuration, how it looks in their files, and back.

`hosts` is the table of who keeps what where, `entries` what we put there. `json_text` and `toml_text` edit the text of
a file so that every foreign byte stays; `plan` makes changes out of both, `writing` puts them on disk, and `kept`
remembers what was done, so that it can be undone byte for byte.
"""
