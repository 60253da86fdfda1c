"""What `go test` and `cargo test` print of a run, package by package and binary by binary."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from tests.bench.causes import go_output, rust_output
from tests.bench.drifts.manner import Broken, Files, Manner, rooted, rust_error, told_of
from tests.bench.drifts.model import Test


def go(rng: Random, manner: Manner, files: Files, tests: Sequence[Test], broken: Sequence[Broken]) -> list[str]:
    folders = sorted({path.rpartition("/")[0] for path in files if path.endswith(".go")})
    root = files["go.mod"].split("\n")[0].removeprefix("module ").strip()
    named = {test.target for test in tests}
    all_of_it = len(named) > 1
    lines: list[str] = []
    for package in (f"{root}/{folder}" for folder in folders):
        if package in named:
            lines += _package(rng, manner, files, package, [t for t in tests if t.target == package], broken)
        elif all_of_it:
            lines.append(f"?   \t{package}\t[no test files]")
    return [rooted(line, manner) for line in [*lines, *(["FAIL"] if broken else [])]]


def _package(
    rng: Random, manner: Manner, files: Files, package: str, tests: Sequence[Test], broken: Sequence[Broken]
) -> list[str]:
    bad = [each for each in broken if each.test.target == package]
    lines: list[str] = []
    for test in tests:
        each = next((one for one in bad if one.test == test), None)
        lines += [f"=== RUN   {test.name}"] if manner.verbose else []
        if each is None:
            lines += [f"--- PASS: {test.name} (0.00s)"] if manner.verbose else []
            continue
        frame = each.frames[-1]
        if each.fault.mode == "sign":
            base = frame.path.rpartition("/")[2]
            lines += [f"--- FAIL: {test.name} (0.00s)", f"    {base}:{frame.line}: got -{each.fault.amount * 3}"]
        elif each.fault.mode == "mismatch":
            words = ("Test", *_words(each.test.name))
            lines += go_output.mismatch(told_of(each, words), each.frames[0])[:-1]
        else:
            return [*lines, *_panic(rng, manner, files, package, each), f"FAIL\t{package}\t0.00{rng.randint(2, 9)}s"]
    if bad:
        return [*lines, "FAIL", f"FAIL\t{package}\t0.00{rng.randint(2, 9)}s"]
    took = rng.choice(("(cached)", "0.003s", "0.002s")) if not manner.verbose else "0.002s"
    return [*lines, *(["PASS"] if manner.verbose else []), f"ok  \t{package}\t{took}"]


def _panic(rng: Random, manner: Manner, files: Files, package: str, each: Broken) -> list[str]:
    first = files[each.test.path].split("\n")[0]
    outside = "_test" if first.endswith("_test") else ""
    run = go_output.Run((), package, set(), outside)
    return go_output.panic(told_of(each), rng, each.frames, run, manner.root)


def _words(name: str) -> list[str]:
    found: list[str] = []
    for letter in name.removeprefix("Test"):
        if letter.isupper():
            found.append("")
        found[-1] += letter.lower()
    return found


def cargo(
    rng: Random, manner: Manner, files: Files, tests: Sequence[Test], broken: Sequence[Broken], left_out: int
) -> list[str]:
    lines: list[str] = []
    homes = sorted({test.target.partition("|")[0] for test in tests})
    for home in homes:
        crate = _crate(files, home)
        place = manner.root + (f"/{home.rstrip('/')}" if home else "")
        lines.append(f"   Compiling {crate.replace('_', '-')} v0.2.0 ({place})")
    lines.append("    Finished `test` profile [unoptimized + debuginfo] target(s) in 0.61s")
    for target in sorted({test.target for test in tests}):
        mine = sorted((test for test in tests if test.target == target), key=lambda test: test.name)
        bad = [each for each in broken if each.test.target == target]
        lines += _binary(rng, manner, files, target, mine, bad, left_out)
        if bad:
            break  # it stops at the first that fails
    return lines


def _binary(
    rng: Random, manner: Manner, files: Files, target: str, tests: Sequence[Test], broken: Sequence[Broken], out: int
) -> list[str]:
    home, _, flag = target.partition("|")
    crate = _crate(files, home)
    file = "unittests src/lib.rs" if flag == "--lib" else f"tests/{flag.split()[-1]}.rs"
    name = crate if flag == "--lib" else flag.split()[-1]
    lines = [f"     Running {file} (target/debug/deps/{name}-{rng.randrange(16**16):016x})", ""]
    lines.append(f"running {len(tests)} test{'s' * (len(tests) != 1)}")
    failing = {each.test for each in broken}
    lines += [f"test {test.name} ... {'FAILED' if test in failing else 'ok'}" for test in tests]
    if broken:
        lines += ["", "failures:", ""]
        for each in broken:
            lines += _stdout(rng, manner, crate, home, flag, each)
        lines += ["", "failures:", *(f"    {each.test.name}" for each in broken)]
    counts = f"{len(tests) - len(broken)} passed; {len(broken)} failed; 0 ignored; 0 measured; {out} filtered out"
    lines += ["", f"test result: {'FAILED' if broken else 'ok'}. {counts}; finished in 0.00s", ""]
    package = f"-p {crate.replace('_', '-')} " if home else ""
    return [*lines, *([f"error: test failed, to rerun pass `{package}{flag}`"] if broken else [])]


def _stdout(rng: Random, manner: Manner, crate: str, home: str, flag: str, each: Broken) -> list[str]:
    last, name, message = each.frames[-1], each.test.name, rust_error(each)
    place = f"{last.path}:{last.line}:{rust_output.column_of(last)}"
    panic = [f"thread '{name}' panicked at {place}:", *message]
    if manner.style == "threads":
        panic[0] = f"thread '{name}' ({rng.randint(1_000, 90_000)}) panicked at {place}:"
    elif manner.style == "old":
        panic = [f"thread '{name}' panicked at '{message[0]}{chr(10).join(['', *message[1:]])}', {place}"]
    if manner.style == "backtrace":
        panic += rust_output.backtrace(each.frames, rust_output.Run(crate, home, flag, ()), manner.root)
    else:
        panic.append("note: run with `RUST_BACKTRACE=1` environment variable to display a backtrace")
    return [f"---- {name} stdout ----", *([] if manner.style == "old" else [""]), *panic, ""]


def _crate(files: Files, home: str) -> str:
    manifest = files[f"{home}Cargo.toml"]
    return manifest.split('name = "')[1].split('"')[0].replace("-", "_")
