"""What a command line runs of JavaScript's tools, and how much of the tests it takes in.

`npx`, the package managers and a dozen wrappers stand before the tool; a script of `package.json` is shown in the
output before it runs, and only from there is known what it does. An option that chooses among tests leaves the scope
unknown, as an argument does that only the shell could work out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from ccos_core.intake.failures.command import Run, runs
from ccos_core.intake.failures.page import Page
from ccos_core.intake.failures.python_scopes import Scope

NODE, NODE_TEST = "node", "node-test"
TYPE_CHECKERS = ("tsc", "vue-tsc")
RUNNERS = ("jest", "vitest", "mocha")

_TOOLS = {*RUNNERS, *TYPE_CHECKERS, NODE}
_ALIASES = {"_mocha": "mocha", "tsx": NODE, "ts-node": NODE, "babel-node": NODE, "vitest.mjs": "vitest"}
_MANAGERS = {"npm", "npx", "yarn", "pnpm", "pnpx", "bun", "bunx", "corepack"}
_WRAPPERS = _MANAGERS | {
    "cross-env", "dotenv", "c8", "nyc", "timeout", "time", "env", "sudo", "nice", "stdbuf", "xvfb-run", "exec",
    "command", "docker", "podman", "docker-compose", "script", "unbuffer", "retry",
}  # fmt: skip
_FARTHEST = 14
"""Words before the tool that wrappers may have for themselves."""
_SHOWN = re.compile(r"> (?:@?[\w./-]+@\S+ )?[\w:.-]+(?: (?P<where>/\S+))?$")
_ELSEWHERE = {"-w", "--workspace", "-C", "--prefix", "--dir", "--cwd", "-F", "--filter", "-r", "--recursive", "-ws"}
"""Options by which a package manager goes to another folder, or to several."""
UNSURE = "?"
_FILE = re.compile(r"^[^$*?{`]+\.[cm]?[jt]sx?$")
_NODE_VALUE = {
    "-r", "--require", "--import", "--loader", "--experimental-loader", "-C", "--conditions", "--test-reporter",
    "--test-reporter-destination", "--test-concurrency", "--test-timeout", "--env-file", "--tsconfig",
    "--test-name-pattern", "--test-skip-pattern", "--test-shard", "-P", "--project", "-O", "--compiler-options",
}  # fmt: skip
_CHOICE = {
    "jest": {
        "-t", "--testNamePattern", "-o", "--onlyChanged", "--changedSince", "--lastCommit", "-f", "--onlyFailures",
        "--shard", "--testPathIgnorePatterns", "--selectProjects", "--ignoreProjects", "--filter", "--testRegex",
        "--findRelatedTests", "--testPathPattern", "--testPathPatterns", "--testMatch", "--roots", "--rootDir", "-c",
        "--config", "--projects", "--watch", "--listTests",
    },
    "vitest": {
        "-t", "--testNamePattern", "--project", "--shard", "--changed", "--exclude", "--dir", "--root", "-r", "-c",
        "--config", "--workspace", "--tags", "--tagsFilter", "--browser", "--typecheck.only", "--include",
    },
    "mocha": {
        "-g", "--grep", "-f", "--fgrep", "-i", "--invert", "--ignore", "--exclude", "--config", "--package", "--file",
        "--spec", "--extension", "--list-interfaces", "--dry-run",
    },
    NODE_TEST: {"--test-name-pattern", "--test-skip-pattern", "--test-only", "--test-shard"},
}  # fmt: skip
_VALUE = {
    "jest": {
        "--maxWorkers", "-w", "--testTimeout", "--coverageDirectory", "--coverageReporters", "--reporters", "--env",
        "--testEnvironment", "--collectCoverageFrom", "--outputFile", "--seed", "--maxConcurrency", "--cacheDirectory",
    },
    "vitest": {
        "--reporter", "--outputFile", "--maxWorkers", "--pool", "--environment", "--testTimeout", "--hookTimeout",
        "--bail", "--retry", "--mode", "--coverage.reporter", "--minWorkers", "--maxConcurrency",
    },
    "mocha": {
        "-R", "--reporter", "-r", "--require", "-t", "--timeout", "--ui", "-u", "-s", "--slow", "-O", "--retries",
        "--reporter-option", "--reporter-options", "-j", "--jobs", "--node-option",
    },
    NODE_TEST: _NODE_VALUE,
}  # fmt: skip
"""Options that always have a value. One that may go without is missing here: the word behind it could be a file."""
_GREEDY = {"jest": {"--reporters", "--coverageReporters", "--collectCoverageFrom"}}
"""Options that take all words up to the next option."""
_FLAGS = {
    "--ci", "--coverage", "--verbose", "--silent", "--runInBand", "--watchAll", "--cache", "--passWithNoTests",
    "--detectOpenHandles", "--forceExit", "--color", "--colors", "--updateSnapshot", "--update", "--expand", "--run",
    "--globals", "--recursive", "--exit", "--parallel", "--full-trace", "--experimental-vm-modules", "--typecheck",
    "--enable-source-maps", "--experimental-strip-types", "--experimental-test-coverage", "--inspect-brk", "--inspect",
}  # fmt: skip
"""Options that never have one."""
_SUBCOMMANDS = {"vitest": {"run", "watch", "dev", "related", "bench", "list", "typecheck"}}


def programs(page: Page) -> list[Run]:
    """JavaScript's tools that run, by the command and by the scripts the output shows."""
    direct = runs(page.command)
    found = [tool for run in direct if (tool := _peeled(run)) is not None]
    managing = [run for run in direct if run.tool in _MANAGERS]
    decides = bool(managing) and all(run.decides for run in managing)
    home = _home(managing[0]) if len(managing) == 1 else ""
    for said, command in _scripts(page.lines):
        for tool in (tool for run in runs(command) if (tool := _peeled(run)) is not None):
            folder = tool.folder or said or home
            found.append(replace(tool, decides=tool.decides and decides, folder=folder))
    return found


def folder_of(page: Page, tool: str) -> str:
    """Where this tool ran, seen from where the command began; `UNSURE` where that can't be known."""
    found = [run.folder for run in programs(page) if run.tool == tool or (tool == NODE_TEST and _is_plain_file(run))]
    if not found:
        found = [_home(run) for run in runs(page.command) if run.tool in _MANAGERS]
    folders = tuple(dict.fromkeys(found)) or ("",)
    return UNSURE if len(folders) > 1 or is_unsure(folders[0]) else folders[0]


def is_unsure(folder: str) -> bool:
    """Whether only the shell knows where this is."""
    return folder in (UNSURE, "-") or "$" in folder or "`" in folder


def scope_of(page: Page, tool: str) -> Scope | None:
    """What the one run of this runner was asked to take in; None where there is no such one."""
    found = [run for run in programs(page) if run.tool == tool or (tool == NODE_TEST and _is_plain_file(run))]
    if len(found) != 1:
        return None
    run = found[0]
    named, options, clear = _sorted(run.words, tool)
    if tool in _SUBCOMMANDS and named[:1] and named[0] in _SUBCOMMANDS[tool]:
        clear = clear and named[0] in ("run", "watch", "dev")
        named = named[1:]
    narrowed = run.dynamic or not clear or any(_chooses(word, _CHOICE[tool]) for word in options)
    paths = tuple(tidy(word) for word in named)
    return Scope((), () if "." in paths else paths, narrowed, run.folder)


def only_file(scope: Scope | None) -> str:
    """The one file a run was given, if it was given nothing else."""
    if scope is None or len(scope.paths) != 1:
        return ""
    return scope.paths[0] if _FILE.search(scope.paths[0]) else ""


def tidy(word: str) -> str:
    path = word.replace("\\", "/")
    while path.startswith("./"):
        path = path[2:]
    return path.rstrip("/") or ("/" if path else ".")


def _scripts(lines: list[str]) -> Iterator[tuple[str, str]]:
    """(where, what) of the commands a package manager shows before it runs them."""
    for at, line in enumerate(lines):
        if not line.startswith((">", "$ ")):
            continue
        if line.startswith("$ "):
            yield "", line[2:]
        elif (shown := _SHOWN.match(line)) is not None and at + 1 < len(lines) and lines[at + 1].startswith("> "):
            yield shown["where"] or "", lines[at + 1][2:]


def _home(run: Run) -> str:
    """Where a package manager runs what it is asked for."""
    words = run.words
    for at, word in enumerate(words[:_FARTHEST]):
        if word in ("--", "exec", "x", "dlx"):
            break
        option, equals, value = word.partition("=")
        if option in _ELSEWHERE or (word in ("workspace", "workspaces") and not at):
            place = value if equals else "".join(words[at + 1 : at + 2])
            known = "/" in place and not place.startswith(("@", "!", ".../")) and word != "workspace"
            return (f"{run.folder}/{tidy(place)}".lstrip("/") if run.folder else tidy(place)) if known else UNSURE
    return run.folder


def _peeled(run: Run) -> Run | None:
    """The tool itself, without what it is wrapped in; None for what is none of ours."""
    words = [run.tool, *run.words]
    at = 0
    if _name(words[0]) in _WRAPPERS:
        plain = _name(words[0]) in ("npm", "bun", "corepack")
        ahead = range(1, min(len(words), _FARTHEST))
        at = next((n for n in ahead if _name(words[n]) in _TOOLS and (not plain or _executes(words[:n]))), -1)
        if at < 0:
            return None
    tool = _name(words[at])
    if tool not in _TOOLS:
        return None
    rest = tuple(words[at + 1 :])
    if tool == NODE:
        return _by_node(run, list(rest))
    return Run(tool, rest, run.decides, run.dynamic, run.folder)


def _executes(words: list[str]) -> bool:
    """`npm exec jest`, and not `npm install jest`."""
    return any(word in ("exec", "x", "npx", "bunx", "pnpx", "yarn", "pnpm") or _name(word) == NODE for word in words)


def _by_node(run: Run, words: list[str]) -> Run | None:
    """A script that node runs, its own test runner, or a tool that is a script itself."""
    at = 0
    testing = False
    while at < len(words) and words[at].startswith("-"):
        testing = testing or words[at] == "--test"
        if words[at] in ("-e", "--eval", "-p", "--print", "-"):
            return None
        at += 2 if words[at] in _NODE_VALUE else 1
    if testing:
        rest = tuple(word for word in words if word != "--test")
        return Run(NODE_TEST, rest, run.decides, run.dynamic, run.folder)
    script = words[at : at + 1]
    if not script:
        return None
    tool = _name(script[0])
    if "node_modules/" in script[0] and tool in _TOOLS:
        return Run(tool, tuple(words[at + 1 :]), run.decides, run.dynamic, run.folder)
    return Run(NODE, tuple(words[at:]), run.decides, run.dynamic, run.folder)


def _is_plain_file(run: Run) -> bool:
    return run.tool == NODE and len(run.words) == 1


def _name(word: str) -> str:
    name = word.replace("\\", "/").rpartition("/")[2]
    if name.partition("@")[0] in _TOOLS:
        return name.partition("@")[0]
    plain = re.sub(r"\.(?:[cm]?js|cmd|exe)$", "", name)
    return _ALIASES.get(name, _ALIASES.get(plain, plain if plain in _TOOLS else name))


def _sorted(words: tuple[str, ...], tool: str) -> tuple[list[str], list[str], bool]:
    """(what is named, the options, whether it is clear which is which)."""
    named: list[str] = []
    options: list[str] = []
    clear = True
    greedy = False
    ahead = iter(range(len(words)))
    for at in ahead:
        word = words[at]
        if word == "--":
            greedy = False
        elif word.startswith("-"):
            options.append(word)
            greedy = word in _GREEDY.get(tool, ())
            if not greedy and (word in _VALUE[tool] or word in _CHOICE[tool]):
                next(ahead, None)
        elif not greedy:
            named.append(word)
            before = words[at - 1] if at else ""
            clear = clear and (_is_pathlike(word) or not _may_take(before, tool))
    return named, options, clear


def _may_take(option: str, tool: str) -> bool:
    """Whether the word behind this could be its value, as far as is known here."""
    if not option.startswith("--") or "=" in option or option == "--" or option.startswith("--no-"):
        return False
    return option not in _FLAGS and option not in _VALUE[tool]


def _is_pathlike(word: str) -> bool:
    return "/" in word or "." in word


def _chooses(option: str, choice: set[str]) -> bool:
    """Whether an option is one of these, also as one letter among several."""
    if option.startswith("--"):
        return option.partition("=")[0] in choice
    return any(f"-{letter}" in choice for letter in option[1:])
