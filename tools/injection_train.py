"""Train the injection signal, measure it on what it was not trained on, and write its weights.

    python tools/injection_train.py DATA SESSIONS [CODE ...] [--write]

DATA is a folder of public sets, SESSIONS one of recorded sessions, CODE folders of ordinary source. Carriers and tasks
are split by whole groups and whole families: each score that a figure is made of comes from a model that has seen
neither the carrier nor the task. Thresholds are chosen on the other folds. `--missed` prints what was missed.
"""

from __future__ import annotations

import hashlib
import json
import random
import sys
import zlib
from collections.abc import Iterable, Iterator, Sequence
from multiprocessing import Pool
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from ccos_core.text.injection.features import BUCKETS, buckets
from ccos_core.text.injection.signal import HEADS, described, plain
from tools import injection_texts as texts
from tools.injection_texts import Sample

FOLDS = 4
SCALE = 16
"""Weights are kept in 16ths."""
PAIRS = {"overt": 6_000, "covert": 7_000}
MOST_RESULTS, MOST_FILES = 6_000, 900
EPOCHS, RATE, BATCH, DECAY = 5, 0.15, 512, 2e-6
SURE = 24
"""Sum from which a sentence of an attack counts as one, whatever the others say."""
POSITIVE = {"overt": 6.0, "covert": 4.0}
"""How much more a segment of an attack weighs than another."""
ALARMS = {"overt": 0.002, "covert": 0.003}
"""Share of clean texts that each of the two may flag."""
HARMLESS_ALARMS = {"overt": 0.02, "covert": 0.02}
HARMLESS_TIMES = 4
"""How often each harmless text counts that looks like an attack: there are few."""
UNSEEN = "unseen"
"""Attacks of a set that nothing is trained on."""


class Text(NamedTuple):
    """A text with the features of its segments."""

    sample: Sample
    folds: frozenset[int]
    """What it was made of: only models that saw none of it may score it for a figure."""
    rows: tuple[Any, ...]
    hits: tuple[bool, ...]


def fold_of(name: str) -> int:
    return zlib.crc32(name.encode()) % FOLDS


def prepared(sample: Sample) -> Text:
    rows, hits = [], []
    for segment, names in described(plain(sample.text)):
        begin, end = segment.start, segment.start + len(segment.text)
        inside = min(end, sample.end) - max(begin, sample.start)
        rows.append(np.array(buckets(names), np.int32))
        hits.append(bool(sample.attack) and 2 * inside >= end - begin)
    folds = {fold_of(sample.group)} | ({fold_of(sample.payload)} if sample.payload else set())
    return Text(sample, frozenset(folds), tuple(rows), tuple(hits))


def carriers(data: Path) -> list[tuple[str, str, str]]:
    found = [("email", f"email {at // 3}", text) for at, text in enumerate(texts.emails(data))]
    found += [("code", f"code {at // 3}", text) for at, text in enumerate(texts.answers(data))]
    found += [("template", f"template {at}", text) for at, text in enumerate(texts.templates(data))]
    return found


def samples(data: Path, sessions: Path, code: list[Path]) -> Iterator[Sample]:
    """Yield what is trained on. A pair is made within a fold: its carrier and its task are left out together."""
    every = carriers(data)
    results = [(f"session {name}", text) for name, text in texts.tool_results(sessions)]
    files = [(f"file {'/'.join(name.split('/')[:2])}", text) for name, text in texts.code_files(code, MOST_FILES)]
    pick = random.Random(7)  # noqa: S311
    pick.shuffle(results)
    put_into = [("result", name, text) for name, text in results if len(text) < 6_000][:1_500]
    tasks = {
        "overt": texts.own_tasks()
        + [("own:extra", words) for words in texts.EXTRA]
        + texts.bipia_tasks(data, "text")
        + texts.injecagent_tasks(data),
        "covert": texts.own_tasks() + texts.bipia_tasks(data, "text") * 3 + texts.injecagent_tasks(data) * 2,
    }
    for fold in range(FOLDS):
        mine = [each for each in every for _ in range(1 if each[0] == "template" else 8) if fold_of(each[1]) == fold]
        mine += [each for each in put_into if fold_of(each[1]) == fold]
        for attack in HEADS:
            known = [each for each in tasks[attack] if fold_of(each[0]) == fold]
            yield from texts.pairs(mine, known, attack, PAIRS[attack] // FOLDS, fold + 11)
    yield from (Sample(source, group, _clean(text), "") for source, group, text in every)
    yield from (Sample("result", group, text, "") for group, text in results[:MOST_RESULTS])
    yield from (Sample("file", group, text, "") for group, text in files)
    yield from (Sample("harmless", f"harmless {at}", text, "") for at, text in enumerate(texts.harmless(data)))
    for family, words in texts.own_tasks() + texts.bipia_tasks(data, "text") + texts.injecagent_tasks(data):
        yield Sample("alone", family, words, "")  # a request that is all of a text stands where requests belong
    yield from (Sample("remark", f"remark {at}", text, "") for at, text in enumerate(texts.BENIGN))
    for at, row in enumerate(texts.read_json(data / "cyberseceval" / "prompt_injection.json")):
        if row["injection_type"] == "indirect":
            yield Sample(UNSEEN, f"unseen {at}", row["user_input"], "")


def _clean(text: str) -> str:
    return text.replace("<Attacker Instruction>", "A nice day with friends.")


# -- a linear model ---------------------------------------------------------------------------------------------------


def trained(rows: Sequence[Any], wanted: Any, weight: float) -> tuple[Any, float]:
    """Logistic regression by Adagrad."""
    sizes = np.array([len(each) for each in rows])
    flat, begins = np.concatenate(rows), np.concatenate(([0], np.cumsum(sizes)))
    weights, squares = np.zeros(BUCKETS), np.full(BUCKETS, 1e-2)
    bias, bias_square = -3.0, 1e-2
    order = np.arange(len(rows))
    shuffle = np.random.default_rng(3)
    for _ in range(EPOCHS):
        shuffle.shuffle(order)
        for at in range(0, len(order), BATCH):
            batch = order[at : at + BATCH]
            which = np.concatenate([np.arange(begins[one], begins[one + 1]) for one in batch])
            owner = np.repeat(np.arange(len(batch)), sizes[batch])
            columns = flat[which]
            sums = np.bincount(owner, weights[columns], len(batch)) + bias
            off = 1 / (1 + np.exp(-np.clip(sums, -30, 30))) - wanted[batch]
            off *= np.where(wanted[batch] > 0, weight, 1.0)
            slope = np.bincount(columns, off[owner], BUCKETS) / 8 + DECAY * len(batch) * weights
            squares += slope**2
            weights -= RATE * slope / np.sqrt(squares)
            bias_square += off.sum() ** 2
            bias -= RATE * off.sum() / np.sqrt(bias_square)
    return weights, bias


def fitted(known: Iterable[Text], head: str) -> tuple[Any, int]:
    """Return the whole numbers of a model. Of an attack of several sentences, only those count as such that a first
    model finds: the others may be words that stand anywhere."""
    every = list(known)
    first = _fitted(every, head, None)
    return _fitted(every, head, first)


def _fitted(known: Sequence[Text], head: str, first: tuple[Any, int] | None) -> tuple[Any, int]:
    rows, wanted = [], []
    for text in known:
        totals = [first[1] + int(first[0][row].astype(int).sum()) if first else 0 for row in text.rows]
        best = max((total for total, hit in zip(totals, text.hits, strict=True) if hit), default=0)
        for row, hit, total in zip(text.rows, text.hits, totals, strict=True):
            if hit and (text.sample.attack != head or (total < best and total < SURE)):
                continue  # an attack of the other kind is no example against this one
            times = HARMLESS_TIMES if text.sample.source == "harmless" else 1
            rows += [row] * times
            wanted += [hit] * times
    weights, bias = trained(rows, np.array(wanted, float), POSITIVE[head])
    return np.clip(np.rint(weights * SCALE), -127, 127).astype(np.int8), round(bias * SCALE)


def score(text: Text, model: tuple[Any, int]) -> int:
    weights, bias = model
    return max((bias + int(weights[row].astype(int).sum()) for row in text.rows), default=-999)


def bound(scores: Sequence[int], share: float) -> int:
    """Return the least sum that at most this share reaches."""
    ordered = sorted(scores, reverse=True)
    return ordered[int(len(ordered) * share)] + 1 if ordered else 0


def chosen(scored: Sequence[tuple[Text, int]], head: str) -> int:
    """Return the threshold: few alarms on clean twins, on ordinary files, on harmless words that look like attacks."""
    clean = [
        (text.sample.source, total) for text, total in scored if not text.sample.attack and text.sample.source != UNSEEN
    ]
    kinds = (("email", "code", "template"), ("result", "file"), ("harmless",))
    return max(
        bound(
            [total for source, total in clean if source in kind],
            HARMLESS_ALARMS[head] if "harmless" in kind else ALARMS[head],
        )
        for kind in kinds
    )


def steps_of(scored: Sequence[tuple[Text, int]], head: str, number: int = 16) -> list[tuple[int, int]]:
    """Return (sum, thousandths): how many of the texts with about this sum were attacks."""
    every = sorted((total, text.sample.attack == head) for text, total in scored if text.sample.attack in ("", head))
    size = max(1, len(every) // number)
    found, highest = [], 0
    for at in range(0, len(every), size):
        part = every[at : at + size]
        highest = max(highest, round(1000 * sum(hit for _, hit in part) / len(part)))
        found.append((part[0][0], highest))
    return found


def report(rows: list[tuple[Text, bool]]) -> None:
    names = sorted({(text.sample.attack, text.sample.source) for text, _ in rows})
    for attack, source in names:
        mine = [flagged for text, flagged in rows if (text.sample.attack, text.sample.source) == (attack, source)]
        print(
            f"  {attack or 'clean':7} {source:13} {sum(mine):6,} of {len(mine):6,}",
            f"{100 * sum(mine) / len(mine):6.2f} %",
        )
    for attack in HEADS:
        mine = [flagged for text, flagged in rows if text.sample.attack == attack]
        print(f"  {attack:7} all            {100 * sum(mine) / len(mine):6.2f} %")


def main() -> None:
    places = [Path(each) for each in sys.argv[1:] if not each.startswith("--")]
    with Pool(2) as pool:
        every = [each for each in pool.map(prepared, list(samples(places[0], places[1], places[2:])), 64) if each.rows]
    print(f"{len(every):,} texts, {sum(len(each.rows) for each in every):,} segments", flush=True)
    flagged: dict[int, bool] = dict.fromkeys(range(len(every)), False)
    made = {}
    for head in HEADS:
        totals: dict[int, int] = {}
        for fold in range(FOLDS):
            model = fitted([each for each in every if fold not in each.folds and each.sample.source != UNSEEN], head)
            totals |= {at: score(each, model) for at, each in enumerate(every) if fold in each.folds}
        for fold in range(FOLDS):
            others = [(every[at], total) for at, total in totals.items() if fold not in every[at].folds]
            least = chosen(others, head)
            for at, total in totals.items():
                if fold in every[at].folds and total >= least:
                    flagged[at] = True
        scored = [(every[at], total) for at, total in totals.items()]
        for kind in sorted({text.sample.source for text, _ in scored if not text.sample.attack}):
            top = sorted(
                (total for text, total in scored if text.sample.source == kind and not text.sample.attack), reverse=True
            )
            print("   ", head, kind, top[:8])
        if "--missed" in sys.argv:
            missed = [
                (total, text.sample)
                for text, total in scored
                if text.sample.attack == head and total < chosen(scored, head)
            ]
            for total, sample in random.Random(1).sample(missed, 30):  # noqa: S311
                print("   ", total, sample.source, sample.text[sample.start : sample.end][:170].replace("\n", " "))
            for total, text in sorted(
                ((total, text.sample.text) for text, total in scored if text.sample.source == UNSEEN)
            )[:12]:
                print("   UNSEEN", total, text[:60].replace("\n", " "), "...", text[-200:].replace("\n", " "))
            for total, text in sorted(
                (
                    (total, text.sample.group)
                    for text, total in scored
                    if not text.sample.attack and text.sample.source in ("result", "file")
                ),
                reverse=True,
            )[:9]:
                print("   ALARM", total, text)
        made[head] = (
            fitted([each for each in every if each.sample.source != UNSEEN], head),
            chosen(scored, head),
            steps_of(scored, head),
        )
        print(head, "threshold", made[head][1], flush=True)
    report([(every[at], each) for at, each in flagged.items()])
    if "--write" in sys.argv:
        write(made)


def write(made: dict[str, Any]) -> None:
    head = {
        "bias": {name: made[name][0][1] for name in HEADS},
        "threshold": {name: made[name][1] for name in HEADS},
        "steps": {name: made[name][2] for name in HEADS},
    }
    content = json.dumps(head, separators=(",", ":"), sort_keys=True).encode() + b"\n"
    content += b"".join(made[name][0][0].tobytes() for name in HEADS)
    folder = Path(__file__).resolve().parents[1] / "ccos_core" / "text" / "injection"
    (folder / "weights.bin").write_bytes(content)
    said = (
        f'"""Which file of weights this version was made with."""\n\nDIGEST = "{hashlib.sha256(content).hexdigest()}"\n'
    )
    (folder / "pinned.py").write_text(said)


if __name__ == "__main__":
    main()
