"""What a sentence looks like to the model: words, pairs and triples of them, marks, and how it differs from the rest.

A feature is a short name; its bucket is a checksum of it. So a verdict can be told by name, and the weights need no
list of words.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterable, Mapping
from itertools import pairwise

from ccos_core.text.injection.segments import Segment

BUCKETS = 1 << 14
FIRST_WORDS = 3
"""Words at the start of a sentence that count as such, too."""
NOVEL = (0, 34, 60, 80, 100)
"""Percent of words that stand nowhere else in the text, as steps."""

_MARKS = (
    ("role", re.compile(r"<\|?/?(?:im_start|im_end|system|user|assistant|inst|sys)|\[/?INST", re.IGNORECASE)),
    ("speaker", re.compile(
        r"(?:^|[\s>\"'\[])(?:SYSTEM|ADMIN|Human|Assistant|User|System)(?: [A-Z]+| message| prompt)? ?[:\]]")),
    ("heading", re.compile(r"^\W*#{2,} *(?:new )?(?:instruction|system|response|task)", re.IGNORECASE)),
    ("addressed", re.compile(
        r"\b(?:ai|llms?|language models?|chatbots?|assistants?|chatgpt|claude|copilot|gpt)\b", re.IGNORECASE)),
    ("capitals", re.compile(r"\b[A-Z]{4,}(?:[ !:,]+[A-Z]{2,}){2,}")),
    ("important", re.compile(r"\b(?:IMPORTANT|ATTENTION|URGENT|WARNING|NOTICE|OVERRIDE)\b")),
    ("bangs", re.compile(r"!{2,}")),
    ("rule", re.compile(r"(?:[-=#*]{4,}|```)")),
    ("mail", re.compile(r"[\w.+-]+@[\w-]+\.\w+")),
    ("link", re.compile(r"https?://|www\.")),
    ("question", re.compile(r"\?[\"')]*\s*$")),
    ("quoted", re.compile(r"[\"'“‘][^\"'”’]{2,}[\"'”’]")),
    ("number", re.compile(r"\d")),
    ("colon", re.compile(r":\s*$")),
)  # fmt: skip
_COMMON_WORDS = (
    "the a an of to and in is it for on with as at by this that these those be are was were or from i you he she we"
    " they my your his her our their me him us them not no yes do does did have has had will would can could should"
    " may might must if then else so but about into over out up down all any some more most what which who how when"
    " where why please there here also just only than too very"
)
COMMON = frozenset(_COMMON_WORDS.split())


def features(segment: Segment) -> list[str]:
    """Return the features of a sentence by itself."""
    words = segment.words
    names = [f"w:{word}" for word in dict.fromkeys(words)]
    names += [f"b:{one} {two}" for one, two in pairwise(words)]
    names += [f"t:{one} {two} {three}" for one, two, three in zip(words, words[1:], words[2:], strict=False)]
    names += [f"f{at}:{word}" for at, word in enumerate(words[:FIRST_WORDS])]
    names += [f"m:{name}" for name, pattern in _MARKS if pattern.search(segment.text)]
    for word in words:
        if not word.isascii():
            names += [f"c:{word[at : at + 2]}" for at in range(len(word) - 1)]
    names.append(f"k:{segment.kind}")
    names.append(f"n:{min(len(words) // 6, 5)}")
    return names


def around(segment: Segment, counts: Mapping[str, int], at: int, total: int, ask: int, others: int) -> list[str]:
    """Return the features of a sentence beside the others of its text.

    `counts` has the words of all, `ask` says how this one asks for something, `others` how many others do.
    """
    content = [word for word in dict.fromkeys(segment.words) if word not in COMMON]
    new = sum(counts[word] <= segment.words.count(word) for word in content)
    percent = 100 * new // len(content) if content else 0
    step = sum(percent >= bound for bound in NOVEL)
    share = 0 if total < 2 else 1 + min(3, 4 * others // (total - 1))
    place = "only" if total < 2 else "first" if at == 0 else "last" if at == total - 1 else "between"
    size = sum(total >= bound for bound in (2, 4, 10, 40))
    names = [f"N:{step}", f"S:{share}", f"P:{place}", f"Z:{size}", f"N:{step} A:{ask}", f"S:{share} A:{ask}"]
    names += [f"m:{name} A:{ask}" for name, pattern in _MARKS[:4] if pattern.search(segment.text)]
    return [
        *names,
        f"P:{place} A:{ask}",
        f"N:{step} S:{share} A:{ask}",
        f"Z:{size} A:{ask}",
        f"K:{segment.kind} A:{ask}",
    ]


_VERB_WORDS = (
    "add analyse analyze answer append arrange ask assess book build buy calculate call cancel categorize change"
    " check choose classify collect compare compile complete compose compute construct convert copy count craft"
    " create debug decode define delete deliver demonstrate deposit describe design detail determine develop"
    " differentiate disable discuss dispatch display download draft edit elaborate elucidate email enable encode"
    " encrypt enumerate estimate evaluate examine execute explain export extract fetch figure find fix follow"
    " forecast formulate forward generate get give grant guide help highlight identify illustrate implement"
    " include incorporate indicate infer inform insert install instruct interpret introduce invent investigate"
    " invite install kill launch list locate lock make mention modify move name narrate offer open optimize order"
    " organize outline output paraphrase pay perform plan play post predict prepare present print produce promote"
    " propose prove provide publish purchase put query rank rate read recite recommend record reduce refund"
    " register remove rename render repeat rephrase replace reply report request resolve respond retrieve return"
    " reveal review revise rewrite run save say schedule search see select send set share show sign simplify"
    " simulate solve sort speak specify spell start state stop store submit subscribe suggest summarise summarize"
    " supply surf talk teach tell think trace track transcribe transfer transform translate turn type unlock"
    " update upload use utilize verify view visit wire withdraw write"
)
VERBS = frozenset(_VERB_WORDS.split())
_POLITE = frozenset(("please", "kindly", "now", "also", "then", "finally", "first", "next", "additionally"))
_WH_WORDS = "what who where when which how why whose can could would do does is are will should"
_WH = frozenset(_WH_WORDS.split())


def asks(segment: Segment) -> int:
    """Return how a sentence asks for something: 0 it doesn't, 1 as a question, 2 as an order, 3 politely."""
    words = segment.words
    at = 0
    while at < len(words) and at < 2 and words[at] in _POLITE:
        at += 1
    first = words[at] if at < len(words) else ""
    if first in VERBS:
        return 3 if at and words[0] in ("please", "kindly") else 2
    if words and words[0] in _WH and segment.text.rstrip("\"') ").endswith("?"):
        return 1
    second = words[1:5]
    return 3 if first in ("can", "could", "would", "i") and "you" in second else 0


def buckets(names: Iterable[str]) -> list[int]:
    """Return the buckets of features, each once, in order."""
    return sorted({zlib.crc32(name.encode("utf-8", "replace")) % BUCKETS for name in names})
