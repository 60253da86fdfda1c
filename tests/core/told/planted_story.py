"""The sessions of `planted.py`: what the user says and how, what the agent does meanwhile, and what the host drops."""

import json
from datetime import UTC, datetime, timedelta
from random import Random
from string import Template
from typing import Any

from tests.core.intake.importers.claude_code_fixtures import Talk, edit_of, listed, read_of, text, thinking, use
from tests.core.told.planted_rules import Rule, Step

FORMS = ("alone", "task", "list", "refusal", "queued", "answer", "plan")
"""How the user says it: a prompt of its own, behind a task, an item of a list, why a call or a plan was refused, while
the agent works, or as an answer."""
BEGUN = datetime(2026, 3, 2, 8, tzinfo=UTC)
WORDS = (
    "batch", "buffer", "cents", "column", "cursor", "delta", "entry", "frame", "header", "ledger", "limit", "order",
    "page", "payment", "price", "queue", "rate", "record", "sheet", "stock", "store", "tax", "window", "week",
)  # fmt: skip
TASKS = (
    "Please look at the $a of the $b and make it right.", "The $a comes out wrong when the $b is empty.",
    "Let the $a show its $b as well.", "Add a $a to the $b.", "Why does the $a differ from the $b?",
    "Now the same for the $a.", "Go on with the $b.", "Der $a passt nicht zum $b.",
)  # fmt: skip
REMARKS = (
    "The demo is on Thursday.", "Mara reviews this on Friday.", "Keep your answers short.", "The cents come rounded.",
    "The $a belongs to the team in Graz.", "We had this in spring already.", "Jonas wrote the $b.",
)  # fmt: skip
THANKS = ("Thanks, that works.", "Good.", "One more thing.", "Nice so far.", "Passt.", "Before I forget.")
REPLIES = ("Understood.", "Will do.", "Got it.", "All right, I go on that way.")
THOUGHTS = ("The $a should come first.", "I look at the $a next.", "The $b depends on the $a.", "That is the $a.")
REFUSED = (
    "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the "
    "new_string was NOT written to the file). To tell you how to proceed, the user said:\n"
)
LINES = {
    "py": ("def ${a}_$n(rows):", "    return rows[$n:] or ${a}_$m(rows)"),
    "ts": ("export function ${a}$n(rows: Row[]) {", "  return rows.slice($n).concat($a$m(rows));\n}"),
    "go": ("func $a$n(rows []Row) []Row {", "\treturn append(rows[$n:], $a$m(rows)...)\n}"),
    "rs": ("fn ${a}_$n(rows: &[Row]) -> Vec<Row> {", "    [&rows[$n..], &${a}_$m(rows)].concat()\n}"),
}
SUMMARY = """This session is being continued from a previous conversation that ran out of context. The summary below \
covers the earlier portion of the conversation.

Summary:
1. Primary Request and Intent:
   Work on the $a and the $b; the $a should match what the sheet shows.

2. Files and Code Sections:
   - src/$a.$ext: reads the rows and sums them
   - src/$b.$ext: shows what was summed

3. All user messages:
$messages

4. Pending Tasks:
   - See whether the $b is right.

5. Current Work:
   The rows of the $a were being compared with the $b."""


class Story:
    """A session in the making."""

    def __init__(self, random: Random, rule: Rule, names: dict[str, str], form: str) -> None:
        self.random, self.rule, self.names, self.form = random, rule, names, form
        self.wording = ""
        self.cwd = f"/home/kim/{random.choice(('till', 'desk', 'atlas', 'harbour'))}"
        self.session = f"{random.randrange(16**12):012x}"
        self.talk = Talk(self.session, cwd=self.cwd, userType="external", gitBranch=names["topic"], version="2.1.40")
        self.calls: list[str] = []
        self.asked: list[str] = []
        """What the user said that summaries may repeat."""
        self.files: dict[str, str] = {}
        self.window = 17_000
        self.agent = ""

    # -- what the user says ---------------------------------------------------------------------------------------

    def open(self) -> None:
        self.talk.note({"type": "file-history-snapshot", "messageId": "m", "snapshot": {}, "isSnapshotUpdate": False})
        self.task()
        self.work(1, 5)

    def task(self) -> None:
        self.talk.prompt(self._ask())

    def tell(self, words: str, form: str) -> None:
        """Let the user say words in one of FORMS."""
        match form:
            case "alone":
                self.talk.prompt(words)
            case "task":
                self.talk.prompt(f"{self._ask()} {self.random.choice(THANKS)} {words}")
            case "list":
                one, two = (self.phrase(each) for each in self.random.sample(REMARKS, 2))
                self.talk.prompt(f"{self._ask()}\n\n- {one}\n- {words}\n- {two}\n")
            case "refusal":
                self.do(self.rule.breaks, refused=words)
            case "plan":
                self.call(
                    "ExitPlanMode", {"plan": f"# Plan\n\n1. {self.phrase(TASKS[3])}\n"}, REFUSED + words, error=True
                )
            case "queued":
                self.talk.queue("enqueue", content=words)
                self.work(1, 2)
                self.talk.queue("remove")
            case "answer":
                self.ask(words)
        self.reply(self.random.choice(REPLIES))

    def ask(self, words: str) -> None:
        """Let the agent ask, and the user answer with words of their own."""
        question = self.phrase("Anything to mind with the $a?")
        option = {"label": "No", "description": "Go on"}
        questions = [{"question": question, "header": "Mind", "options": [option], "multiSelect": False}]
        answered = f'User has answered your questions: "{question}"="{words}". You can now continue.'
        told = {"questions": questions, "answers": {question: words}}
        self.call("AskUserQuestion", {"questions": questions}, answered, told)

    def _ask(self) -> str:
        self.asked.append(self.phrase(self.random.choice(TASKS)))
        return self.asked[-1]

    # -- what the agent does --------------------------------------------------------------------------------------

    def reply(self, words: str) -> None:
        self._message(text(words))

    def work(self, least: int, most: int) -> None:
        """Read, search, look around and edit, without touching what rules are about."""
        for _ in range(self.random.randint(least, most)):
            way = self.random.randrange(12)
            path = f"src/core/{self.random.choice(WORDS)}.{self.rule.language}"
            if way < 4:
                self.read(path)
            elif way < 6:
                found = f"{path}:{self.random.randrange(1, 30)}:{self._line(0)}"
                self.call("Grep", {"pattern": self.random.choice(WORDS), "output_mode": "content"}, found)
            elif way < 8:
                self.do(
                    Step("Bash", after=self.random.choice(("ls src/core", "git status --short", "git diff --stat")))
                )
            elif way < 10:
                old = self._file(path).split("\n")[0]
                self.do(Step("Edit", path, old, f"{self._line(0)}\n{self._line(1)}\n{old}"))
            elif way < 11:
                self._message(thinking(self.phrase(self.random.choice(THOUGHTS))))
            else:
                self.reply(self.phrase(self.random.choice(THOUGHTS)))

    def do(self, step: Step, refused: str = "") -> str:
        """Make the call of a rule's step; return its id."""
        path, before, after = f"{self.cwd}/{self.fill(step.path)}", self.fill(step.before), self.fill(step.after)
        no = {"printed": REFUSED + refused, "error": True} if refused else {}
        if step.tool == "Bash":
            told = {"stdout": "", "stderr": "", "interrupted": False, "isImage": False}
            return self.call("Bash", {"command": after, "description": "Go on"}, **{"printed": "", "told": told, **no})
        if step.tool == "Write":
            told = {"type": "create", "filePath": path, "content": after, "structuredPatch": [], "originalFile": None}
            printed = f"File created successfully at: {path}"
            return self.call("Write", {"file_path": path, "content": after}, **{"printed": printed, "told": told, **no})
        name = self.fill(step.path)
        given = self._file(name, before)
        self.read(name)
        arguments = {"file_path": path, "old_string": before, "new_string": after, "replace_all": False}
        told = edit_of(path, given, before, after)
        if not refused:
            self.files[name] = given.replace(before, after, 1)
        printed = f"The file {path} has been updated successfully."
        return self.call("Edit", arguments, **{"printed": printed, "told": told, **no})

    def read(self, name: str) -> None:
        path, content = f"{self.cwd}/{name}", self._file(name)
        self.call("Read", {"file_path": path}, listed(content), read_of(path, content))

    def delegate(self, step: Step, told: str) -> tuple[str, str]:
        """Let a subagent make the call; return its id and the subagent's."""
        task = f"{self.phrase(self.random.choice(TASKS[:4]))} Report what you changed. {told}".strip()
        agent = f"a{self.random.randrange(16**6):06x}"
        outer = self._called("Task", {"description": "See to it", "prompt": task, "subagent_type": "general-purpose"})
        self.agent = agent
        self._inner("user", {"role": "user", "content": [text(task)]})
        self.work(1, 6)
        call = self.do(step)
        self.work(0, 3)
        self.agent = ""
        self.talk.result(outer, [text("It is done.")], {"agentId": agent, "totalDurationMs": 4_210})
        return call, agent

    def call(self, name: str, arguments: Any, printed: str, told: Any = None, error: bool = False) -> str:
        """Make a call and write its result; return its id."""
        call = self._called(name, arguments)
        if error:
            told = f"Error: {printed}"
        more = {} if told is None else {"toolUseResult": told}
        if self.agent:
            block = {"type": "tool_result", "tool_use_id": call, "content": printed}
            self._inner("user", {"role": "user", "content": [block]}, **more)
        else:
            self.talk.result(call, printed, told, is_error=error)
        return call

    def _called(self, name: str, arguments: Any) -> str:
        call = f"toolu_{self.session}{len(self.calls):04}"
        self.calls.append(call)
        self._message(use(call, name, arguments), stop="tool_use")
        return call

    def _message(self, block: Any, stop: str = "end_turn") -> None:
        message = f"msg_{len(self.talk.values):05}"
        self.window += self.random.randrange(300, 1_900)
        if self.agent:
            told = {"id": message, "role": "assistant", "model": "claude-haiku-4-5", "content": [block]}
            self._inner("assistant", {**told, "usage": {"input_tokens": 900, "output_tokens": 20}})
        else:
            self.talk.says(block, message=message, window=self.window, stop_reason=stop, written=20)

    def _inner(self, kind: str, message: Any, **more: Any) -> None:
        inner = {"type": kind, "uuid": f"inner-{len(self.talk.values)}", "message": message, **more}
        data = {"type": "agent_progress", "agentId": self.agent, "prompt": "", "message": inner}
        self.talk.add("progress", data=data)

    # -- the rest -------------------------------------------------------------------------------------------------

    def compact(self, *carried: str) -> None:
        """Let the host drop everything but a summary that repeats some words of the user."""
        said = [f'   - "{each}"' for each in (*self.asked[-6:], *carried)]
        summary = self.phrase(SUMMARY, messages="\n".join(said), ext=self.rule.language)
        self.talk.compact(summary, before=self.window)
        self.window = 19_000

    def fill(self, words: str) -> str:
        """Fill in the names of this session."""
        return Template(words).substitute(self.names)

    def phrase(self, words: str, **more: str) -> str:
        """Fill in two random words."""
        one, two = self.random.sample(WORDS, 2)
        return Template(words).substitute({"a": one, "b": two, **more})

    def transcript(self) -> bytes:
        """Return the session as JSON Lines, with times some seconds apart."""
        at, lines = BEGUN, []
        clock = Random(self.session)
        for value in self.talk.values:
            at += timedelta(milliseconds=clock.randrange(800, 40_000))
            stamp = at.strftime("%Y-%m-%dT%H:%M:%S.") + f"{at.microsecond // 1_000:03}Z"
            if "timestamp" in value:
                value["timestamp"] = stamp
            if value["type"] == "progress":
                value["data"]["message"]["timestamp"] = stamp
            lines.append(json.dumps(value, ensure_ascii=False, separators=(",", ":")))
        return "\n".join([*lines, ""]).encode()

    def _file(self, name: str, holding: str = "") -> str:
        """Return a file of the project, made when it is first needed."""
        content = self.files.get(name, "")
        if not content and name.endswith(f".{self.rule.language}"):
            content = "\n".join(f"{self._line(0)}\n{self._line(1)}\n" for _ in range(self.random.randrange(4, 9)))
        if holding not in content:
            content = f"{holding}\n{content}"
        self.files[name] = content
        return content

    def _line(self, number: int) -> str:
        numbers = {name: str(self.random.randrange(40)) for name in "nm"}
        line = Template(LINES[self.rule.language][number])
        return line.substitute({"a": self.random.choice(WORDS), **numbers})
