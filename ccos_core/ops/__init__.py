"""The vocabulary: everything that can happen to a working memory. Start reading here.

An op is one immutable thing that happened, as the host or the user said it; what we infer from it is a fact and lies
elsewhere. The vocabulary is closed and versioned:

    source      seen · gone · renamed         failure   failed · passed        recall   recall
    host        tool · prompt · thought · turn · usage · compaction · cleared  paging   paged_in · paged_out · attention
    claim       supported · contradicted · retracted · superseded              episode  annotation
    memory      remembered · labelled · weighed · expired · governed · distilled
    rule        retune                        epoch     epoch

In memory an op is a plain dict. `table` defines the kinds and their fields, `docs/OPS.md` says what they mean, `plain`
checks ops and turns them into the bytes of the record and back, and `epoch` makes the first op of every record.
"""
