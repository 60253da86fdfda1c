"""The vocabulary: everything that can happen to a working memory. Start reading here.

An op is one immutable thing that happened, as the host or the user said it; what we infer from it is a fact and lies
elsewhere. The vocabulary is closed and versioned:

    source      Seen · Gone · Renamed         failure   Failed · Passed        recall   Recall
    host        Tool · Prompt · Turn · Usage · Compaction · Cleared            paging   PagedIn · PagedOut · Attention
    claim       Supported · Contradicted · Retracted · Superseded              episode  Annotation
    rule        Retune                        epoch     Epoch

Each is a frozen dataclass over `base.Op`. `table` says how they are written, `codec` writes and reads them, `plain`
does the same for code that can't afford dataclasses.
"""
