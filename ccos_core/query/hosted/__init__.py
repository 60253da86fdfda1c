"""Questions about the windows a host's conversation really had: what its context held (`host`), what of ours it was
handed (`delivered`), and ours beside theirs (`both`).

    whose      which context is meant          happening   what became of a node there, and by which op
    missing  watch  turn  why  diff  window    the answers; `both` has those that compare
"""
