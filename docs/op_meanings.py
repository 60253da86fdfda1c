"""What each kind of op and each field means, for docs/OPS.md. A field without an entry is clear from its name."""

HEADER = {
    "at": "Wall-clock time in milliseconds since 1970 UTC, if known. It never decides an order.",
    "actor": "Who acted: agent, user, host or tool.",
    "host": "The program that runs the agent, e.g. `claude-code`.",
    "session": "The host's id for the conversation.",
    "context": "The subagent's id; absent for the main conversation. Each context has a window of its own.",
    "call": "The host's id of the call or record. Two deliveries with the same `call` and `phase` are one event.",
    "phase": "Which part of a call this is, if a call has several; otherwise the op's kind.",
    "findings": "Hidden characters and secrets that the gate found in this op's text, by field and kind.",
}

KINDS: dict[str, tuple[str, dict[str, str]]] = {
    "epoch": (
        "The rules for the steps after it. The first op of every record is an epoch.",
        {
            "format": "The format of the canonical bytes and the chain.",
            "vocabulary": "The version of the vocabulary.",
            "interpreters": "Version of each interpreter, which derives facts from contents.",
            "ticks": "How far each kind of work moves the virtual clock.",
            "weights": "How much heat each cause gives, and how it spreads.",
            "caps": "Limits of the fold, such as how far a failure reaches.",
        },
    ),
    "seen": (
        "A file had this content.",
        {
            "how": (
                "`read`: an agent saw it. `edit`, `write`: an agent changed it. `ingest`: ccos-tui read it, no "
                "agent saw it."
            ),
            "content": "The text; absent if it was withheld.",
            "slice": "Which lines `content` is, if it isn't the whole file.",
            "took": "How many lines the slice replaced, if the edit says so.",
            "inferred": "Whether this was concluded from a command and its output. Otherwise the tool reported it.",
            "withheld": (
                "Why there is no content: `secret-path` or `ccosignore`; `unplaced`: the place of the edit is "
                "unknown; `crowded`: one call changed too many files; `uncertain`: the file may have changed; "
                "`mixed`: the output mixes it with other files."
            ),
        },
    ),
    "gone": (
        "A file was deleted.",
        {},
    ),
    "renamed": (
        "A file has a new path. It is still the same file, with its past.",
        {},
    ),
    "tool": (
        "A tool call that ended. What it did to files has ops of its own; what its output reports is a fact.",
        {
            "outcome": "`ok`, `error` or `interrupted`; `unknown` if the host doesn't say.",
            "arguments": "The arguments as canonical JSON.",
            "result": "What the agent saw as the result.",
            "cwd": "The folder in which it ran; relative paths start there.",
            "withheld": "Why its result, and texts in its arguments, are not recorded.",
        },
    ),
    "failed": (
        "A test or command failed. If the same test of the same runner fails again, it is the same failure.",
        {
            "runner": "`pytest`, `cargo`, ..., or `user`.",
            "test": "The name of the test.",
            "nodes": "The locations of the failure, if they are known.",
            "sites": "Where it failed, the innermost stack frame first.",
        },
    ),
    "passed": (
        "A run passed. It ends the failures inside its scope, and no others.",
        {
            "scope": (
                "`tests`, `files`, `nodes`: those listed. `all`: everything that the command ran. `unknown`: "
                "ends nothing."
            ),
        },
    ),
    "recall": (
        "An agent got a suggested window: what was in it, in which order, and how it was computed.",
        {
            "lens": "`working-set`, `around:X`, `task:TEXT`, ...",
            "computed_at": "The step whose state it shows.",
            "parameters": "All other parameters that shaped it.",
            "window": "blake3 of the text that was delivered, in hex.",
            "principal": "Who asked, if boundaries apply.",
            "policy": "Hash of the policy that was in force.",
            "now": "Wall-clock milliseconds that the order depended on, if it did.",
            "said": "The delivered text that isn't code: statements, rules, notes.",
        },
    ),
    "paged_in": (
        "Pin these nodes into the suggested window.",
        {},
    ),
    "paged_out": (
        "Keep these nodes out of the suggested window until they are asked for.",
        {
            "summary": "What is shown in their place.",
            "source": "Hash of the content that the summary is valid for.",
            "made": "The step of the `distilled` that wrote the summary.",
        },
    ),
    "attention": (
        "The agent or the user pointed at these nodes, without reading or changing them.",
        {},
    ),
    "annotation": (
        "A note about a node, or about the step.",
        {},
    ),
    "supported": (
        "There is evidence for a claim.",
        {
            "weight": "How much it counts, in thousandths.",
            "way": (
                "Where it comes from: said `explicit`ly, an `inline` mark in a message, a `test`, the `outcome` of a "
                "session, an `import`."
            ),
            "for_session": "The session that it speaks of.",
        },
    ),
    "contradicted": (
        "There is evidence against a claim.",
        {},
    ),
    "retracted": (
        "The author takes a claim back. What was believed at earlier steps stays.",
        {},
    ),
    "superseded": (
        "Another claim replaces this one.",
        {
            "how": (
                "`replace`: the new one stands instead. `merge`: it holds both. `invert`: it says the opposite. "
                "`refine`: it says the same more exactly."
            ),
        },
    ),
    "turn": (
        "The agent wrote a message.",
        {
            "stop": "Why the message ended.",
            "detail": "The host's own word for why it ended, or the error of the model's service.",
            "millis": "How long the model took.",
        },
    ),
    "prompt": (
        "The agent got a message.",
        {
            "source": "`user`: a person typed it. `host`: the host added it. `agent`: an agent instructs its subagent.",
            "channel": (
                "How it was said, if not as a prompt of its own: `queued` while the agent worked, as the `answer` to a "
                "question, as the reason for the `refusal` of a call, as an edit of a `plan`, as `feedback`."
            ),
        },
    ),
    "usage": (
        "How full the agent's window was, as the host counted it.",
        {
            "window": "Tokens that the model got: fresh, cached and stored together.",
            "fresh": "Tokens that came neither from a cache nor went into one.",
            "cached": "Tokens read from a cache.",
            "stored": "Tokens written to a cache.",
            "stored_hour": "Of `stored`, the tokens that are kept for one hour. The others are kept for five minutes.",
            "written": "Tokens that the model wrote, thinking included.",
            "thinking": "Of `written`, the tokens of thinking.",
            "model": "The model that was paid for it.",
            "cost": "What the host says it cost, in millionths of a dollar.",
            "limit": "The most tokens that fit.",
        },
    ),
    "compaction": (
        "The host replaced the history by something shorter.",
        {
            "before": "Tokens in the window before it.",
            "after": "Tokens in the window after it.",
            "kept": "Calls whose results stayed, if the host says so.",
            "exact": "Whether `summary` and `kept` are everything that stayed. Otherwise they are what is known of it.",
        },
    ),
    "cleared": (
        "The agent's window was emptied.",
        {},
    ),
    "retune": (
        "The weights change from here on.",
        {},
    ),
    "thought": (
        "The model thought before it spoke.",
        {
            "said": "The text; absent if the host doesn't give it.",
            "sealed": "The host recorded that there was a thought, but encrypted it or left it out.",
            "tokens": "Its tokens, as the host counted them.",
        },
    ),
    "remembered": (
        "Somebody asserted a statement worth keeping.",
        {
            "memo": "Its node: `memo:` and 16 hex digits of the class, scope and normalised words.",
            "class": "`said`, or a more exact class such as `preference`, `correction`, `decision`, `todo`, `rule`.",
            "words": "What is to be remembered.",
            "about": "The nodes it speaks of.",
            "places": "Where its words stand: node, first line, last line.",
            "scope": "Where it holds: in this session, this project, or for this user everywhere.",
            "lifetime": "Milliseconds until it may expire.",
            "made": "The step of the `distilled` that it came from.",
            "inferred": "Nobody said it in these words or confirmed it.",
        },
    ),
    "labelled": (
        "Somebody changed who may see these nodes, or how they are filed.",
        {
            "untagged": "Tags that are taken away.",
            "pinned": "Whether they never expire and are never evicted.",
        },
    ),
    "weighed": (
        "Somebody said how much these nodes count.",
        {
            "weight": "In thousandths of the usual, 0 to 2,000.",
        },
    ),
    "expired": (
        "The lifetime of these nodes ended, by a clock outside the record.",
        {
            "policy": "The rule that ended it.",
            "now": "Wall-clock milliseconds when it was decided.",
        },
    ),
    "governed": (
        "A policy is in force from here on: levels, regions, lifetimes, budgets.",
        {
            "policy": "The policy as canonical JSON.",
        },
    ),
    "distilled": (
        "A model, a program or a person made a text out of these nodes.",
        {
            "what": "Which kind of text.",
            "maker": "Who made it.",
            "asked": "Hash of the request.",
            "result": "What came back.",
            "spent": "Tokens used.",
        },
    ),
}
