"""What an agent can call, a file for each toolset. A table is read at start-up and costs next to nothing; what a tool
does, it imports when it is called.

    memory    what to look at now, and what happened: recall, ingest, page_fault, ...
    history   what was, and why: timeline, recall_what_if, missing, why, diff, find, autopsy, ...
    causes    what depends on what: causal_intervene, causal_blame, causal_flash
    statements   what is done with statements: annotate, retract, supersede, label, page_in, ...
    rules    what many sessions taught: rules for a task, one rule with its feedback
    claims    what is believed, and since when: assert_claim, retract_claim, retrodict_belief

`door` holds the workspace open, `schemas` says what goes in and comes out, `asking` puts questions of the catalogue,
and `questions` makes tools of those whose entry there describes one.
"""
