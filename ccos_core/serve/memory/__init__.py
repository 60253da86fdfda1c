"""The memory as a pipe: one JSON object a line in, one out, for scripts that want neither MCP nor a shell.

`lines` has the stream, `verbs` what can be said and under which name, `store` the workspace that is worked on. The
tools are those of the server for agents, and questions are those of the catalogue, with the same answers.
"""
