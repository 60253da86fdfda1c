"""Time travel: where the record's ops and the fold of them meet. Rows come in, states come out; pure."""
