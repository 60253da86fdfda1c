"""Names for a project that nobody wrote: enough of them that thousands of files get along without numbers."""

DOMAINS = ("billing", "orders", "stock", "shipping", "ledger", "people", "search", "reports", "pricing", "returns",
           "contracts", "planning")  # fmt: skip
AREAS = ("intake", "rules", "store", "views", "feeds", "checks", "totals", "terms", "queues", "prints", "limits",
         "notes", "codes", "routes", "dates", "scores", "drafts", "claims", "locks", "stamps")  # fmt: skip
THINGS = ("rates", "parcels", "lines", "quotes", "refunds", "lots", "batches", "entries", "periods", "units", "bounds",
          "labels", "seats", "plans", "marks", "tables", "fields", "windows", "charges", "offers", "tickets", "levels",
          "grades", "shares", "zones", "cards", "counts", "folders", "keys", "rounds", "sums", "slots", "steps",
          "values", "weights", "years", "traces", "tokens", "themes", "stages", "shelves", "scales", "rows", "roles",
          "ranks", "pairs", "orders_of", "names", "modes", "maps", "links", "items", "hours", "groups", "goals",
          "gates", "forms", "drops", "costs", "bands")  # fmt: skip
VERBS = ("settle", "count", "merge", "spread", "close", "open", "weigh", "sort", "pick", "round", "check", "draw",
         "move", "hold", "split", "place", "trim", "match", "read", "bind", "raise", "lower", "store",
         "rank")  # fmt: skip
NOUNS = ("order", "amount", "entry", "parcel", "quote", "refund", "batch", "period", "unit", "label", "seat", "plan",
         "mark", "field", "charge", "offer", "ticket", "level", "share", "zone", "card", "slot", "row",
         "rate")  # fmt: skip
ERRORS = (("KeyError", "'{}'"), ("ValueError", "no such {}"), ("TypeError", "unsupported operand for {}"),
          ("IndexError", "list index out of range"), ("AssertionError", "assert {} == 0"))  # fmt: skip
ASKED = ("The {} of {} come out wrong after the last change, please look.", "Let {} know about {}.",
         "Tests around {} fail since this morning; find out why, and look at {} too.",
         "Make {} faster, but leave {} as it is.", "We want to split {}; begin with {}.")  # fmt: skip
SAID = ("I'll look at {} first.", "The failure comes out of {}, so I read on from there.",
        "{} looks right; let me check who calls it.", "Now I change {} and run its tests again.",
        "That leaves {}.", "Before I go on, I want to see {} once more.")  # fmt: skip
