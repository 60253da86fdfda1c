"""The memory as a pipe: one JSON object a line in, one out, for scripts that want neither MCP nor a shell.

`lines` has the stream, `wanted` what a verb takes, `verbs` the table of them, `store` the workspace they work on.
Questions are those of the catalogue, under the same names, with the same answers.
"""
