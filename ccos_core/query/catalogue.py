"""Every question by its name: the one table that the command line, the REPL, help, documents and palettes read.

Reading it imports next to nothing, not even `dataclasses`: a question's file, and what that needs, is loaded when the
question is asked, and the server for agents lists its tools from here at its start.
"""

from __future__ import annotations

from ccos_core.query.tool import BUDGET, CODE, LENS, NODE, STEP, Entry, QuestionTool, ToolArgument, rows, span

CLASSES = (
    "note", "preference", "correction", "decision", "fact", "todo", "lesson", "failed-attempt",
    "impression", "diary", "rule", "anti-pattern", "trauma", "pattern",
)  # fmt: skip
SCOPES = ("project", "user", "session")
HOWS = ("replace", "merge", "invert", "refine")
PRIVACY = ("public", "low", "medium", "high", "critical")
"""Words of the questions that write; `remembering` takes them from here."""
CHANGED = "nodes:array changed:boolean step:integer"
BELIEVED = ToolArgument("node", "thing", "A memo:ID or claim:WORDS.", required=True)
NODES = ToolArgument("nodes", "things", "memo:IDs, paths or symbols.", required=True)
WHY = ToolArgument("words", "text", "Why.")
REASON = ToolArgument("reason", "name", "Why.")


def _writing(
    name: str, summary: str, module: str, title: str, description: str, *takes: ToolArgument, memory: bool = False
) -> Entry:
    """Describe a question that writes and its tool; those of the toolset `memory` answer in text."""
    in_set = {"toolset": "memory", "plain": "recorded_text"} if memory else {"toolset": "statements", "fields": CHANGED}
    tool = QuestionTool(
        name.replace("-", "_"), title, description, *takes, **in_set, schema="ccos.recorded/1", writes=True
    )
    return Entry(name, summary, (), module, tool, writes=True)


QUESTIONS: tuple[Entry, ...] = (
    Entry(
        "timeline",
        "List the recorded steps.",
        ("tl",),
        tool=QuestionTool(
            "timeline",
            "Timeline",
            "List the recorded steps; by default the last ones.",
            *span("The first step.", "The last step."),
            rows("Steps to list.", 50),
            schema="ccos.timeline/1",
            fields="head:integer steps:array",
        ),
    ),
    Entry(
        "overview",
        "Show the session at a glance: heat, window, events.",
        ("o",),
    ),
    Entry("goto", "Go to a step: a number, percentage, time, mark or hash.", ("g",), "state"),
    Entry("state", "Summarize what is known at a step.", (), "state"),
    Entry("next", "Go one step forward, or to the next change of a node.", ("n",), "state"),
    Entry("prev", "Go one step back.", ("p",), "state"),
    Entry("when", "Print the current moment as one line to copy."),
    Entry(
        "stats",
        "Show what a workspace contains and what takes up its space.",
        ("s",),
        tool=QuestionTool(
            "stats",
            "What is recorded",
            "Count what the workspace contains: steps, texts, sizes.",
            schema="ccos.stats/1",
        ),
    ),
    Entry("epochs", "List the epochs: which steps were read by which rules."),
    Entry(
        "pauses",
        "List the longest times in which nothing was recorded.",
        tool=QuestionTool(
            "pauses",
            "Pauses",
            "List the longest times in which nothing was recorded, with the steps before and after.",
            rows("List pauses longer than this, in minutes.", 5, name="minutes"),
            rows("Pauses to list.", 20),
            schema="ccos.pauses/1",
        ),
    ),
    Entry("statements", "List what the user said and what the window lost.", ("memos",)),
    Entry("statement", "Show when the window had what was said.", ("memo",)),
    Entry("retold", "Show what the agent would be told again.", ()),
    Entry("said", "Find what was said about something.", (), "said_about"),
    Entry(
        "told",
        "Show what had been said about what a step does.",
        tool=QuestionTool(
            "told",
            "What had been said about a step",
            "Before or after an edit or a command: which of the user's instructions are about it, which it breaks, and "
            "which had left the window.",
            STEP,
            rows("Statements to list.", 12),
            schema="ccos.told/1",
        ),
    ),
    Entry(
        "cost",
        "Show what the session cost, by model and context.",
        ("price",),
        tool=QuestionTool(
            "cost",
            "What the session cost",
            "Get what the requests cost at list prices, by model and context, and the turns that cost most.",
            STEP,
            schema="ccos.cost/2",
            fields="requests:integer rows:array turns:array",
        ),
    ),
    Entry(
        "context",
        "List what was said and remembered that matters now.",
        (),
        "worth_knowing",
        QuestionTool(
            "get_context",
            "What is remembered",
            "Get what the user said and what was remembered. Call it when unsure what was agreed.",
            ToolArgument("query", "text", "What it is for."),
            ToolArgument("budget", "budget", "Size in tokens.", default=600),
            schema="ccos.context/1",
            toolset="memory",
            plain="context_text",
        ),
    ),
    Entry("bundle", "Print what an agent should know before it begins."),
    Entry("access", "List what an agent was handed, paged and noted."),
    Entry(
        "claims",
        "List the claims, or show one with its evidence by step.",
        tool=QuestionTool(
            "claims",
            "Claims",
            "List the claims with belief, tension and evidence, or one claim step by step.",
            ToolArgument("claim", "text", "One claim, in its words."),
            rows("Claims to list.", 40),
            toolset="claims",
        ),
    ),
    Entry("tension", "List claims and statements with evidence on both sides.", (), "claims"),
    Entry("recall", "Show the suggested window at a step.", ("r",), "windows"),
    Entry(
        "composition",
        "Show what fills the agent's window, and its dead weight.",
        ("comp",),
    ),
    Entry("mindmap", "Draw a map of files and names in 1,500, 350 or 80 tokens.", ("map",)),
    Entry("pressure", "Show how full the agent's window is, and what to do."),
    Entry("candidates", "List what the agent's window could drop first."),
    Entry("verbatim", "Print the text of the agent's window, with its gaps."),
    Entry("around", "Show a file or symbol and the code it depends on.", ("a",), "windows"),
    Entry("task", "Show the code that matches the words of a task.", ("t",), "windows"),
    Entry("hybrid", "Show the code that matches words, names and tracebacks.", (), "windows"),
    Entry(
        "missing",
        "Show when a node left the window, when it came back, and why.",
        ("m",),
        tool=QuestionTool(
            "missing",
            "When a node was out of the window",
            "Find when a node left the window and came back, and what pushed it out.",
            NODE,
            LENS,
            BUDGET,
        ),
    ),
    Entry("last", "Go back to the previous change of a node.", (), "turning"),
    Entry("watch", "Show how long a node was in the window during the session."),
    Entry(
        "why",
        "Explain why a node is in the window or not.",
        tool=QuestionTool(
            "why",
            "Why a node is in the window or not",
            "Get a node's rank, heat and level in the window of a step, what it lacks, and which nodes rank before it.",
            NODE,
            STEP,
            LENS,
            BUDGET,
            fields="node:string",
        ),
    ),
    Entry(
        "diff",
        "Show what changed between two steps.",
        ("d",),
        tool=QuestionTool(
            "diff",
            "What changed between two steps",
            "List what entered the window, left it or changed in it between two steps, with files, edges and failures.",
            *span("The earlier step.", "The later step.", required=True),
            LENS,
            BUDGET,
            rows("Rows of each kind.", 20),
        ),
    ),
    Entry("energy", "Show which nodes gained or lost heat, and why.", ("e",)),
    Entry(
        "cause",
        "List the steps that changed a node's score most.",
        ("c",),
        tool=QuestionTool(
            "drift_cause",
            "What changed a node's heat",
            "List the steps that changed a node's score most, with amount and cause.",
            NODE,
            rows("Steps to list.", 8),
            schema="ccos.cause/1",
            fields="node:string changes:array more:integer",
        ),
    ),
    Entry("show", "Print the text of a file, symbol or step."),
    Entry(
        "summarize",
        "Shorten a file, step or statement to its most telling lines.",
        tool=QuestionTool(
            "summarize",
            "Summarize",
            "Shorten a file, symbol, step or statement to its own most telling lines. Names what the summary lacks, "
            "and the reference of the whole text.",
            ToolArgument(
                "node", "node", "A path, symbol, statement or step (prompt:12); else what the last step said."
            ),
            ToolArgument("target_tokens", "budget", "Tokens of the summary.", of="target", default=120),
            schema="ccos.summarized/1",
            fields="text:string tokens:integer source:string dropped:array",
            toolset="memos",
        ),
    ),
    Entry("files", "List the files known at a step, and how much of each."),
    Entry("provenance", "List the steps that recorded a node."),
    Entry("impact", "List what depends on a node and may break when it changes.", ("i",), "depending"),
    Entry(
        "blame",
        "List what a node depends on: possible causes of failures.",
        ("bl",),
        "depending",
        QuestionTool(
            "causal_blame",
            "Where a failure may come from",
            "List what a node depends on, nearest and strongest first, with the failures there: candidates for a root "
            "cause.",
            CODE,
            rows("How many dependencies to follow.", 3, name="hops", most=16),
            rows("Nodes to list.", 16),
            schema="ccos.depending/1",
            fields="nodes:array found:integer cut:boolean",
            toolset="causes",
        ),
    ),
    Entry("failures", "List the failures: since when, where, and what ended them.", (), "failing"),
    Entry("recoveries", "List failures with what was tried and what ended each.", ("rec",)),
    Entry("proposals", "List rules that the sessions bear out, to adopt.", (), "playbook.proposed"),
    Entry("adopt", "Remember a proposed rule.", (), "playbook.adopting", writes=True),
    Entry(
        "rules",
        "List the rules that matter for a task, or all of them.",
        (),
        "playbook.rules",
    ),
    Entry("dangers", "List dangerous commands that were run, and what followed.", (), "playbook.dangers"),
    Entry(
        "conflicts",
        "List pairs of rules that can't both be followed.",
        (),
        "playbook.conflicts",
        QuestionTool(
            "conflicts",
            "Rules in conflict",
            "List pairs of rules that can't both be followed, with scores and what to do.",
            rows("Pairs to list.", 20),
            schema="ccos.conflicts/1",
            toolset="rules",
        ),
    ),
    Entry("invert", "Turn a harmful rule into what to avoid.", (), "playbook.inverting", writes=True),
    Entry("diary", "Show what each session did, decided, met and learned.", (), "playbook.diary"),
    Entry(
        "onboard",
        "Show which rules are missing, and where to find them.",
        (),
        "playbook.onboarding",
        QuestionTool(
            "onboard",
            "Missing rules",
            "Find out which categories lack rules (status), which prompts may fill them (sample), and what a session "
            "offers for rules (read).",
            ToolArgument("part", "word", "What to tell.", words=("status", "sample", "read")),
            ToolArgument("session", "name", "The session to read, or whose prompts to list."),
            rows("Prompts to list.", 10),
            toolset="rules",
        ),
    ),
    Entry("commits", "List the commits and pushes, and the edits in each."),
    Entry(
        "autopsy",
        "Find where the session went wrong: ranked suspects.",
        tool=QuestionTool(
            "autopsy",
            "Where the session went wrong",
            "List the suspects of a session that failed, with evidence by step: code lost, read again, undone, "
            "repeated. Call it when work goes in circles.",
            rows("Suspects to list.", 5, name="suspects", most=100),
            schema="ccos.autopsy/1",
        ),
    ),
    Entry(
        "find",
        "Find or count the steps that match a query.",
        ("f",),
        "finding",
        QuestionTool(
            "find",
            "Find steps by a query",
            'Search the record: kind=tool error, text~"word", path=PATH, present(X) and more, combined with and, or, '
            "not. Returns rows with their step.",
            ToolArgument("query", "text", "The query.", of="expr", required=True),
            BUDGET,
            rows("Rows to list.", 20),
            schema="ccos.find/1",
        ),
    ),
    Entry("whatif", "Show the window with other settings, or without some steps."),
    Entry("compare", "Compare two sessions."),
    _writing(
        "remember",
        "Remember a statement, or confirm one that was said.",
        "remembering",
        "Remember a statement",
        "Remember a preference, correction, decision, todo or failed attempt, so that it isn't forgotten.",
        ToolArgument("text", "text", "The words, or a memo:ID to confirm.", required=True),
        ToolArgument("class", "word", "What it is.", words=CLASSES[:8]),
        ToolArgument("scope", "word", "Where it holds; else project.", words=SCOPES),
        memory=True,
    ),
    _writing(
        "annotate",
        "Write a note on a node into the record.",
        "remembering",
        "Annotate a node",
        "Write a note on a statement, a claim, a path or a symbol.",
        ToolArgument("node", "thing", "A memo:ID, claim:WORDS, path or symbol.", required=True),
        ToolArgument("text", "text", "The note.", required=True),
    ),
    _writing(
        "feedback",
        "Say that a statement or claim helped or harmed.",
        "remembering",
        "Rate a statement",
        "Say whether a statement helped (+) or harmed (-).",
        ToolArgument("node", "thing", "Its memo:ID.", required=True),
        ToolArgument("sign", "word", "Which.", required=True, words=("+", "-")),
        WHY,
        memory=True,
    ),
    _writing(
        "retract",
        "Take a statement or a claim back.",
        "remembering",
        "Retract a statement",
        "Take a statement or a claim back.",
        BELIEVED,
        WHY,
    ),
    _writing(
        "supersede",
        "Put a statement in the place of another.",
        "remembering",
        "Replace a statement",
        "Put a statement in the place of another.",
        BELIEVED,
        ToolArgument("new", "text", "The new words, or a memo:ID.", required=True),
        ToolArgument("how", "word", "How they relate. By default replace.", words=HOWS),
    ),
    _writing(
        "label",
        "Change the privacy, regions and tags of nodes.",
        "remembering",
        "Label nodes",
        "Change the privacy, regions and tags of statements, claims or code.",
        NODES,
        ToolArgument("privacy", "word", "Who may see them.", words=PRIVACY),
        ToolArgument("region", "texts", "Their regions."),
        ToolArgument("tag", "texts", "Tags to add."),
        ToolArgument("untag", "texts", "Tags to remove."),
        ToolArgument("pin", "word", "Whether they never expire.", words=("yes", "no")),
    ),
    Entry(
        "rule",
        "Show a rule with its score, maturity and feedback.",
        (),
        "playbook.rule",
        QuestionTool(
            "rule",
            "One rule",
            "Show a rule with its score, its maturity and what speaks for and against it.",
            ToolArgument("rule", "name", "Its memo:ID.", of="node", required=True),
            schema="ccos.rule/1",
            toolset="rules",
        ),
    ),
    Entry(
        "outcome",
        "Show or record how a session ended, and for which rules.",
        (),
        "playbook.outcome",
        QuestionTool(
            "outcome",
            "How a session ended",
            "Show or record how a session ended. It credits the rules that were in the window and followed.",
            ToolArgument(
                "verdict",
                "word",
                "show or record what the record shows, or say how it ended.",
                words=("show", "record", "success", "failure", "partial", "mixed"),
            ),
            ToolArgument("session", "name", "By default the session that spoke last."),
            WHY,
            schema="ccos.outcome/1",
            fields="verdict:string rules:array changed:boolean",
            toolset="rules",
            writes=True,
        ),
        writes=True,
    ),
    Entry("entries", "Find what is remembered and what was done, by a query."),
    Entry("personal", "Count the personal data in what was said."),
    Entry("govern", "Show or set who may see what, and for how long.", (), "governing", writes=True),
    Entry("expire", "Record which statements have run out.", (), "governing", writes=True),
    _writing(
        "page-in",
        "Keep nodes in the suggested window.",
        "paging",
        "Page in",
        "Keep statements or code in the suggested window.",
        NODES,
        REASON,
    ),
    _writing(
        "page-out",
        "Keep nodes out of the suggested window.",
        "paging",
        "Page out",
        "Keep statements or code out of the suggested window.",
        NODES,
        REASON,
    ),
    _writing(
        "attention",
        "Set how much attention a node should get.",
        "paging",
        "Set attention",
        "Set how much attention a statement or code should get.",
        ToolArgument("node", "thing", "A memo:ID, path or symbol.", required=True),
        ToolArgument("weight", "count", "1000 is usual.", required=True, least=0, most=2_000),
    ),
    Entry("priority", "Choose what is dropped first from the agent's window.", (), "paging", writes=True),
    Entry("support", "Record evidence for a claim.", (), "claims", writes=True),
    Entry("contradict", "Record evidence against a claim.", (), "claims", writes=True),
    Entry("mark", "Name a step, or list the named steps.", (), "marks"),
    Entry("note", "Write a note at a step.", (), "marks"),
)
"""In the order of the help: looking around, the window, what changed, why, searching, what if, the reader's own."""

BY_NAME = {entry.name: entry for entry in QUESTIONS}
ALIASES = {alias: entry.name for entry in QUESTIONS for alias in entry.aliases}


def entry_of(word: str) -> Entry | None:
    """The question a word means, by its name or an alias."""
    return BY_NAME.get(ALIASES.get(word, word))
