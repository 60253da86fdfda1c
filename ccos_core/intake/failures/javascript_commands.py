"""What a command line runs of JavaScript's tools, and how much of the tests it takes in.

`npx`, the package managers and a dozen wrappers stand before the tool; a script of `package.json` is shown in the
output before it runs, and only from there is known what it does.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from ccos_core.intake.failures.arguments import Options, Scope, tidy, words_of
from ccos_core.intake.failures.command import Run, base_name, runs
from ccos_core.intake.failures.page import Page

NODE, NODE_TEST = "node", "node-test"
TYPE_CHECKERS = ("tsc", "vue-tsc")
UNSURE = "?"  # a folder that can't be known

_TOOLS = {"jest", "vitest", "mocha", *TYPE_CHECKERS, NODE}
_ALIASES = {"_mocha": "mocha", "tsx": NODE, "ts-node": NODE, "babel-node": NODE, "vitest.mjs": "vitest"}
_MANAGERS = words_of("npm npx yarn pnpm pnpx bun bunx corepack")
_WRAPPERS = _MANAGERS | words_of(
    "cross-env dotenv c8 nyc timeout time env sudo nice stdbuf xvfb-run exec command docker podman docker-compose"
    " script unbuffer retry"
)
_MOST_WRAPPING_WORDS = 14
_SHOWN = re.compile(r"> (?:@?[\w./-]+@\S+ )?[\w:.-]+(?: (?P<where>/\S+))?$")
_ELSEWHERE = words_of("-w --workspace -C --prefix --dir --cwd -F --filter -r --recursive -ws")
"""Options by which a package manager goes to another folder, or to several."""
_FILE = re.compile(r"^[^$*?{`]+\.[cm]?[jt]sx?$")
_FLAGS = words_of(
    "-- --ci --coverage --verbose --silent --runInBand --watchAll --cache --passWithNoTests --detectOpenHandles"
    " --forceExit --color --colors --updateSnapshot --update --expand --run --globals --recursive --exit --parallel"
    " --full-trace --experimental-vm-modules --typecheck --enable-source-maps --experimental-strip-types"
    " --experimental-test-coverage --inspect-brk --inspect"
)


def _options(choices: str, values: str, greedy: str = "") -> Options:
    chosen = words_of(choices)
    return Options(chosen, words_of(values), _FLAGS, words_of(greedy), taking=chosen, negations=("--no-",))


_OPTIONS = {
    "jest": _options(
        "-t --testNamePattern -o --onlyChanged --changedSince --lastCommit -f --onlyFailures --shard"
        " --testPathIgnorePatterns --selectProjects --ignoreProjects --filter --testRegex --findRelatedTests"
        " --testPathPattern --testPathPatterns --testMatch --roots --rootDir -c --config --projects --watch"
        " --listTests",
        "--maxWorkers -w --testTimeout --coverageDirectory --coverageReporters --reporters --env --testEnvironment"
        " --collectCoverageFrom --outputFile --seed --maxConcurrency --cacheDirectory",
        "--reporters --coverageReporters --collectCoverageFrom",
    ),
    "vitest": _options(
        "-t --testNamePattern --project --shard --changed --exclude --dir --root -r -c --config --workspace --tags"
        " --tagsFilter --browser --typecheck.only --include",
        "--reporter --outputFile --maxWorkers --pool --environment --testTimeout --hookTimeout --bail --retry --mode"
        " --coverage.reporter --minWorkers --maxConcurrency",
    ),
    "mocha": _options(
        "-g --grep -f --fgrep -i --invert --ignore --exclude --config --package --file --spec --extension"
        " --list-interfaces --dry-run",
        "-R --reporter -r --require -t --timeout --ui -u -s --slow -O --retries --reporter-option --reporter-options -j"
        " --jobs --node-option",
    ),
    NODE_TEST: _options(
        "--test-name-pattern --test-skip-pattern --test-only --test-shard",
        "-r --require --import --loader --experimental-loader -C --conditions --test-reporter"
        " --test-reporter-destination --test-concurrency --test-timeout --env-file --tsconfig --test-name-pattern"
        " --test-skip-pattern --test-shard -P --project -O --compiler-options",
    ),
}
_VITEST_SUBCOMMANDS = words_of("run watch dev related bench list typecheck")


def programs(page: Page) -> list[Run]:
    """JavaScript's tools that run, by the command and by the scripts the output shows."""
    direct = runs(page.command)
    found = [tool for run in direct if (tool := _unwrap(run)) is not None]
    managing = [run for run in direct if run.tool in _MANAGERS]
    decides = bool(managing) and all(run.decides for run in managing)
    home = _manager_folder(managing[0]) if len(managing) == 1 else ""
    for said, command in _shown_scripts(page.lines):
        for tool in (tool for run in runs(command) if (tool := _unwrap(run)) is not None):
            found.append(replace(tool, decides=tool.decides and decides, folder=tool.folder or said or home))
    return found


def folder_of(page: Page, tool: str) -> str:
    """Where this tool ran, seen from where the command began; `UNSURE` where that can't be known."""
    found = [run.folder for run in _runs_of(page, tool)]
    if not found:
        found = [_manager_folder(run) for run in runs(page.command) if run.tool in _MANAGERS]
    folders = tuple(dict.fromkeys(found)) or ("",)
    return UNSURE if len(folders) > 1 or is_unsure(folders[0]) else folders[0]


def is_unsure(folder: str) -> bool:
    """Whether only the shell knows where this is."""
    return folder in (UNSURE, "-") or "$" in folder or "`" in folder


def scope_of(page: Page, tool: str) -> Scope | None:
    """What the one run of this runner was asked to take in; None where there is no such one."""
    found = _runs_of(page, tool)
    if len(found) != 1:
        return None
    run = found[0]
    named, options, clear = _OPTIONS[tool].split(run.words)
    if tool == "vitest" and named and named[0] in _VITEST_SUBCOMMANDS:
        clear = clear and named[0] in ("run", "watch", "dev")
        named = named[1:]
    narrowed = run.dynamic or not clear or _OPTIONS[tool].narrow(options)
    paths = tuple(map(tidy, named))
    return Scope((), () if "." in paths else paths, narrowed, run.folder)


def only_file(scope: Scope | None) -> str:
    """The one file a run was given, if it was given nothing else."""
    if scope is None or len(scope.paths) != 1:
        return ""
    return scope.paths[0] if _FILE.search(scope.paths[0]) else ""


def _runs_of(page: Page, tool: str) -> list[Run]:
    """The runs of a tool; a plain file that node runs may hold its own tests."""
    running = programs(page)
    return [r for r in running if r.tool == tool or (tool == NODE_TEST and r.tool == NODE and len(r.words) == 1)]


def _shown_scripts(lines: list[str]) -> Iterator[tuple[str, str]]:
    """(where, what) of the commands a package manager shows before it runs them."""
    for line, below in zip(lines, [*lines[1:], ""], strict=True):
        if line.startswith("$ "):
            yield "", line[2:]
        elif line.startswith(">") and below.startswith("> ") and (shown := _SHOWN.match(line)) is not None:
            yield shown["where"] or "", below[2:]


def _manager_folder(run: Run) -> str:
    """Where a package manager runs what it is asked for."""
    words = run.words
    for at, word in enumerate(words[:_MOST_WRAPPING_WORDS]):
        if word in ("--", "exec", "x", "dlx"):
            break
        option, equals, value = word.partition("=")
        if option in _ELSEWHERE or (word in ("workspace", "workspaces") and not at):
            place = value if equals else "".join(words[at + 1 : at + 2])
            if "/" not in place or place.startswith(("@", "!", ".../")) or word == "workspace":
                return UNSURE
            return f"{run.folder}/{tidy(place)}".lstrip("/") if run.folder else tidy(place)
    return run.folder


def _unwrap(run: Run) -> Run | None:
    """The tool itself, without what it is wrapped in; None for what is none of ours."""
    words = [run.tool, *run.words]
    at = 0
    if _tool_name(words[0]) in _WRAPPERS:
        plain = _tool_name(words[0]) in ("npm", "bun", "corepack")  # `npm exec jest`, and not `npm install jest`
        ahead = range(1, min(len(words), _MOST_WRAPPING_WORDS))
        at = next((n for n in ahead if _tool_name(words[n]) in _TOOLS and (not plain or _executes(words[:n]))), -1)
        if at < 0:
            return None
    tool = _tool_name(words[at])
    if tool not in _TOOLS:
        return None
    rest = tuple(words[at + 1 :])
    return _run_by_node(run, rest) if tool == NODE else _as(run, tool, rest)


def _executes(words: list[str]) -> bool:
    starters = ("exec", "x", "npx", "bunx", "pnpx", "yarn", "pnpm")
    return any(word in starters or _tool_name(word) == NODE for word in words)


def _run_by_node(run: Run, words: tuple[str, ...]) -> Run | None:
    """A script that node runs, its own test runner, or a tool that is a script itself."""
    at = 0
    testing = False
    while at < len(words) and words[at].startswith("-"):
        testing = testing or words[at] == "--test"
        if words[at] in ("-e", "--eval", "-p", "--print", "-"):
            return None
        at += 2 if words[at] in _OPTIONS[NODE_TEST].values else 1
    if testing:
        return _as(run, NODE_TEST, tuple(word for word in words if word != "--test"))
    if at >= len(words):
        return None
    tool = _tool_name(words[at])
    if "node_modules/" in words[at] and tool in _TOOLS:
        return _as(run, tool, words[at + 1 :])
    return _as(run, NODE, words[at:])


def _as(run: Run, tool: str, words: tuple[str, ...]) -> Run:
    return Run(tool, words, run.decides, run.dynamic, run.folder)


def _tool_name(word: str) -> str:
    name = base_name(word)
    if name.partition("@")[0] in _TOOLS:
        return name.partition("@")[0]
    plain = re.sub(r"\.(?:[cm]?js|cmd|exe)$", "", name)
    return _ALIASES.get(name, _ALIASES.get(plain, plain if plain in _TOOLS else name))
