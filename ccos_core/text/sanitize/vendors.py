"""Find keys by the shape their vendor gave them, one row per shape.

A row is (name, prefixes, body, guard). The body is tried right behind each prefix. Guards keep shapes out of places
where chance makes them: "word" asks for no letter or digit in front, "blob" for no long run of base64, "run" for no
long word. Publishable keys and account ids have no row. Nearly every key is an unbroken run of twenty letters, digits,
`-` and `_`, so the hundred prefixes are looked for in such runs alone.
"""

from __future__ import annotations

import re

from ccos_core.text.sanitize.spans import Lazy, Span

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_ALNUM = r"[A-Za-z0-9]"
_URL64 = r"[A-Za-z0-9_-]"
_HEX = r"[0-9a-f]"
_ENDS = r"(?![A-Za-z0-9])"
_UUID = r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"

# Each has a run of twenty letters, digits, - and _, which holds the prefix or begins within twenty characters of it.
IN_RUNS = (
    ("aws-access-key", "AKIA ASIA ABIA ACCA", r"[A-Z0-9]{16}(?![A-Z0-9])", "blob"),
    ("github-token", "ghp_ gho_ ghu_ ghs_ ghr_", r"[A-Za-z0-9]{30,}", ""),
    ("github-token", "github_pat_", r"[A-Za-z0-9_]{30,}", ""),
    (
        "gitlab-token",
        "glpat- gloas- gldt- glrt- glcbt- glptt- glft- glimt- glagent- glsoat- glffct-",
        rf"{_URL64}{{20,}}(?:\.[0-9a-z]{{2}}\.[0-9a-z]+)?",
        "",
    ),
    ("gitlab-token", "GR1348941", rf"{_URL64}{{20,}}", ""),
    (
        "slack-token",
        "xoxb- xoxp- xoxa- xoxr- xoxs- xoxo- xoxc- xoxd- xoxe- xoxe. xapp-",
        r"[A-Za-z0-9%.-]{10,}",
        "",
    ),
    ("stripe-key", "sk_live_ sk_test_ sk_prod_ rk_live_ rk_test_ rk_prod_", rf"{_ALNUM}{{16,}}", ""),
    ("anthropic-key", "sk-ant-", rf"{_URL64}{{20,}}", ""),
    ("openai-key", "sk-proj- sk-svcacct- sk-admin- sk-None-", rf"{_URL64}{{20,}}", ""),
    ("openrouter-key", "sk-or-", rf"{_URL64}{{20,}}", ""),
    ("langfuse-key", "sk-lf-", _UUID, ""),
    ("openai-key", "sk-", r"(?:(?=[A-Za-z]{0,60}[0-9])[A-Za-z0-9]{20,}|[A-Za-z0-9]{40,})", "word"),
    ("google-api-key", "AIza", rf"{_URL64}{{35}}", "blob"),
    ("google-oauth-secret", "GOCSPX-", rf"{_URL64}{{20,}}", ""),
    ("google-oauth-token", "1//0", rf"{_URL64}{{30,}}", "word"),
    ("npm-token", "npm_", rf"{_ALNUM}{{36,}}", ""),
    ("pypi-token", "pypi-AgE", rf"{_URL64}{{16,}}", ""),
    ("rubygems-key", "rubygems_", rf"{_HEX}{{40,}}", ""),
    ("nuget-key", "oy2", rf"[a-z0-9]{{43}}{_ENDS}", "word"),
    ("crates-token", "cio", rf"{_ALNUM}{{32}}{_ENDS}", "word"),
    ("clojars-token", "CLOJARS_", rf"{_HEX}{{40,}}", ""),
    ("jfrog-key", "AKCp", rf"{_ALNUM}{{60,}}", "blob"),
    ("twilio-key", "SK", rf"[0-9a-f]{{32}}{_ENDS}", "word"),
    ("sendgrid-key", "SG.", rf"{_URL64}{{16,32}}\.{_URL64}{{16,64}}", "word"),
    ("mailgun-key", "key-", rf"{_HEX}{{32}}{_ENDS}", "word"),
    ("brevo-key", "xkeysib- xsmtpsib-", rf"{_HEX}{{60,}}(?:-{_ALNUM}+)?", ""),
    ("resend-key", "re_", rf"{_ALNUM}{{8}}_{_ALNUM}{{20,}}", "word"),
    ("digitalocean-token", "dop_v1_ doo_v1_ dor_v1_", rf"{_HEX}{{40,}}", ""),
    ("huggingface-token", "hf_", rf"{_ALNUM}{{30,}}", "word"),
    ("huggingface-token", "api_org_", rf"{_ALNUM}{{30,}}", "word"),
    ("groq-key", "gsk_", rf"{_ALNUM}{{40,}}", "word"),
    ("xai-key", "xai-", rf"{_ALNUM}{{60,}}", "word"),
    ("perplexity-key", "pplx-", rf"{_ALNUM}{{32,}}", ""),
    ("replicate-token", "r8_", rf"{_ALNUM}{{32,}}", "word"),
    ("nvidia-key", "nvapi-", rf"{_URL64}{{40,}}", ""),
    ("cerebras-key", "csk-", rf"{_ALNUM}{{40,}}", "word"),
    ("pinecone-key", "pcsk_", r"[A-Za-z0-9_]{40,}", ""),
    ("langsmith-key", "lsv2_pt_ lsv2_sk_", r"[0-9a-f_]{32,}", ""),
    ("tavily-key", "tvly-", rf"{_URL64}{{20,}}", ""),
    ("fireworks-key", "fw_", rf"{_ALNUM}{{22,}}", "word"),
    ("elevenlabs-key", "sk_", rf"{_HEX}{{48}}{_ENDS}", "word"),
    ("jina-key", "jina_", rf"{_ALNUM}{{50,}}", ""),
    ("e2b-key", "e2b_", rf"{_HEX}{{40}}{_ENDS}", "word"),
    ("vercel-token", "vcp_ vck_ vci_ vca_ vcr_", rf"{_ALNUM}{{24,}}", "word"),
    ("netlify-token", "nfp_ nfc_ nfo_ nfu_", rf"{_ALNUM}{{36,}}", "word"),
    ("render-key", "rnd_", rf"{_ALNUM}{{24,}}", "word"),
    ("heroku-key", "HRKU-", rf"{_URL64}{{30,}}", ""),
    ("supabase-key", "sbp_", rf"(?:oauth_|v0_)?{_HEX}{{40,}}", "word"),
    ("supabase-key", "sb_secret_", rf"{_URL64}{{20,}}", ""),
    ("planetscale-token", "pscale_tkn_ pscale_pw_ pscale_oauth_", r"[A-Za-z0-9_.=-]{30,}", ""),
    ("databricks-token", "dapi dkea dsapi", rf"{_HEX}{{32}}(?:-[0-9]{{1,2}})?{_ENDS}", "blob"),
    (
        "doppler-token",
        "dp.pt. dp.st. dp.ct. dp.sa. dp.scim. dp.audit. dp.said.",
        r"(?:[a-z0-9_-]{2,35}\.)?[A-Za-z0-9]{36,}",
        "word",
    ),
    ("vault-token", "hvs. hvb. hvr.", rf"{_URL64}{{20,}}", "word"),
    ("docker-token", "dckr_pat_ dckr_oat_", rf"{_URL64}{{20,}}", ""),
    ("atlassian-token", "ATATT3 ATCTT3 ATSTT3", r"[A-Za-z0-9_=-]{40,}", "blob"),
    ("bitbucket-password", "ATBB", rf"{_ALNUM}{{28,}}", "blob"),
    ("linear-key", "lin_api_ lin_oauth_", rf"{_ALNUM}{{32,}}", ""),
    ("notion-token", "ntn_", rf"{_ALNUM}{{40,}}", "word"),
    ("notion-token", "secret_", rf"{_ALNUM}{{43}}{_ENDS}", "word"),
    ("shopify-token", "shpat_ shpca_ shppa_ shpss_ shptka_ shprt_", r"[0-9a-fA-F]{32,}", ""),
    ("square-token", "sq0atp- sq0csp- sq0idp-", rf"{_URL64}{{22,}}", ""),
    ("square-token", "EAAA", rf"{_URL64}{{60}}{_ENDS}", "blob"),
    ("facebook-token", "EAAC EAAG EAAB EAAD", rf"{_ALNUM}{{90,}}", "blob"),
    ("twitter-token", "AAAAAAAAAAAAAAAAAAAAA", r"[A-Za-z0-9]{8,14}%[A-Za-z0-9%]{40,}", "blob"),
    ("plaid-token", "access-sandbox- access-development- access-production-", _UUID, ""),
    ("newrelic-key", "NRAK- NRRA- NRJS- NRII- NRIQ- NRSP-", rf"{_URL64}{{19,}}", "word"),
    ("sentry-token", "sntryu_", rf"{_HEX}{{40,}}", ""),
    ("sentry-token", "sntrys_", r"[A-Za-z0-9_+/=-]{40,}", ""),
    ("grafana-token", "glsa_", r"[A-Za-z0-9]{32}_[0-9a-fA-F]{8}", ""),
    ("grafana-token", "glc_", r"[A-Za-z0-9+/=]{32,}", "word"),
    ("postman-key", "PMAK-", rf"{_HEX}{{24}}-{_HEX}{{34}}", ""),
    ("figma-token", "figd_ figo_ figu_ figr_", rf"{_URL64}{{36,}}", "word"),
    ("contentful-token", "CFPAT-", rf"{_URL64}{{40,}}", ""),
    ("typeform-token", "tfp_", r"[A-Za-z0-9_.=-]{40,}", "word"),
    ("hubspot-token", "pat-na1- pat-na2- pat-na3- pat-eu1-", _UUID, ""),
    ("launchdarkly-key", "sdk- api-", _UUID, "word"),
    ("sonarqube-token", "squ_ sqp_ sqa_", rf"{_HEX}{{40}}{_ENDS}", "word"),
    ("circleci-token", "CCIPAT_ CCIPRJ_", r"[A-Za-z0-9]{16,}_[0-9a-f]{32,}", ""),
    ("buildkite-token", "bkua_ bkct_ bkaj_", rf"{_ALNUM}{{32,}}", "word"),
    ("pulumi-token", "pul-", rf"{_HEX}{{40}}{_ENDS}", "word"),
    ("prefect-key", "pnu_ pnb_", rf"{_ALNUM}{{36}}{_ENDS}", "word"),
    ("infracost-key", "ico-", rf"{_ALNUM}{{32}}{_ENDS}", "word"),
    ("tailscale-key", "tskey-", r"[a-z]{2,10}-[A-Za-z0-9]{8,}(?:-[A-Za-z0-9]+)?", ""),
    ("fly-token", "fo1_ fm1a_ fm1r_", r"[A-Za-z0-9_+/=-]{40,}", "word"),
    ("fly-token", "fm2_", r"[A-Za-z0-9_+/=-]{60,}", "word"),
    ("age-key", "AGE-SECRET-KEY-1 AGE-PLUGIN-", r"[0-9A-Z-]{38,}", ""),
    ("readme-key", "rdme_", r"[a-z0-9]{60,}", ""),
    ("shippo-token", "shippo_live_ shippo_test_", rf"{_HEX}{{40}}{_ENDS}", ""),
    ("easypost-key", "EZAK EZTK", rf"{_ALNUM}{{54}}{_ENDS}", "blob"),
    ("duffel-token", "duffel_test_ duffel_live_", rf"{_URL64}{{40,}}", ""),
    ("flutterwave-key", "FLWSECK- FLWSECK_TEST-", rf"{_HEX}{{12,32}}-X", ""),
    ("clickup-token", "pk_", rf"[0-9]{{6,10}}_[A-Z0-9]{{32}}{_ENDS}", "word"),
    ("frameio-token", "fio-u-", rf"{_URL64}{{60,}}", ""),
    ("dynatrace-token", "dt0c01. dt0s01. dt0s02. dt0s08. dt0s16.", r"[A-Z0-9]{8,24}\.[A-Z0-9]{64}", ""),
    ("sourcegraph-token", "sgp_", rf"(?:local_|{_HEX}{{16}}_)?{_HEX}{{40,}}", "word"),
    ("alibaba-key", "LTAI", rf"{_ALNUM}{{16,26}}{_ENDS}", "blob"),
    ("tencent-key", "AKID", rf"{_ALNUM}{{30,40}}{_ENDS}", "blob"),
    ("yandex-key", "AQVN", rf"{_URL64}{{35,}}", "blob"),
    ("openshift-token", "sha256~", rf"{_URL64}{{43}}", "word"),
    ("onepassword-token", "ops_eyJ", r"[A-Za-z0-9_+/=-]{60,}", ""),
    (
        "onepassword-key",
        "A3-",
        r"[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})-[A-Z0-9]{5}-[A-Z0-9]{5}-[A-Z0-9]{5}",
        "word",
    ),
    ("defined-key", "dnkey-", rf"{_URL64}{{26}}-{_URL64}{{52}}", ""),
    ("cursor-key", "crsr_ key_", rf"{_HEX}{{60,}}", "word"),
    ("jwt", "eyJ", rf"{_URL64}{{8,}}\.(?:{_URL64}{{4,}})?\.{_URL64}*(?:\.{_URL64}+){{0,2}}", "run"),
)

# Their characters may break a run: looked for in the whole text, so only rare words belong here.
ANYWHERE = (
    ("google-oauth-token", "ya29.", r"[A-Za-z0-9_.-]{20,}", "word"),
    ("stripe-webhook-secret", "whsec_", r"[A-Za-z0-9+/=]{24,}", ""),
    ("slack-webhook", "hooks.slack.com/", r"(?:services|workflows|triggers)/[A-Za-z0-9/_-]{20,}", ""),
    ("discord-webhook", "/api/webhooks/", r"[0-9]{6,20}/[A-Za-z0-9_-]{30,}", ""),
    ("azure-key", "AccountKey= AccessKey=", r"[A-Za-z0-9+/]{32,}={0,2}", ""),
    ("request-signature", "X-Amz-Signature= X-Goog-Signature=", r"[0-9A-Fa-f]{40,}", ""),
    ("azure-signature", "sig=", r"(?:[A-Za-z0-9/+_-]|%[0-9A-Fa-f]{2}){40,}={0,2}", "word"),
)

# No prefix to start from: (name, words of which one must be there, how far before it the pattern may begin, pattern).
SHAPES_IN_RUNS = (
    (
        "telegram-token",
        ":AA",
        (10, 9, 8),
        Lazy(r"(?:(?<![0-9A-Za-z])|(?<=/bot))[0-9]+:AA[A-Za-z0-9_-]{32,33}(?![A-Za-z0-9_-])"),
    ),
    ("terraform-token", ".atlasv1.", (14,), Lazy(r"[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_-]{60,}")),
    ("mailchimp-key", "-us", (32,), Lazy(r"(?<![A-Za-z0-9])[0-9a-f]{32}-us[0-9]{1,2}(?![A-Za-z0-9])")),
    ("azure-devops-token", "AZDO", (76,), Lazy(r"(?<![A-Za-z0-9])[A-Za-z0-9]{76}AZDO[A-Za-z0-9]{4}(?![A-Za-z0-9])")),
    ("newrelic-key", "NRAL", (36,), Lazy(r"(?<![A-Za-z0-9])[0-9a-f]{36}NRAL(?![A-Za-z0-9])")),
    ("airtable-token", "pat", (0,), Lazy(r"(?<![A-Za-z0-9])pat[A-Za-z0-9]{14}\.[0-9a-f]{64}(?![A-Za-z0-9])")),
    # A Discord token starts with the base64 of a decimal number, which leaves few letters to choose from.
    (
        "discord-token",
        "MD MT Mj Mz ND NT Nj Nz OD OT Oj Oz",
        (0,),
        Lazy(
            r"(?<![A-Za-z0-9])(?:[MNO][DTjz][AEIMQUYcgk][w-z0-5]){5,6}[A-Za-z0-9]{0,4}"
            r"\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{25,}"
        ),
    ),
)

SHAPES_ANYWHERE = (
    (
        "azure-client-secret",
        "Q~",
        (4,),
        Lazy(r"(?<![A-Za-z0-9_~.-])[A-Za-z0-9_~.-]{3}[0-9]Q~[A-Za-z0-9_~.-]{31,34}(?![A-Za-z0-9_~-])"),
    ),
)


_RUN = b"w" * 20
_BEFORE = 20  # what may stand in front of a run and belong to the key: `SG.`, `dp.scim.`, a bot's number
_BLOB_LENGTH = 1024  # of a longer run, an image or a cipher text, only the edges can touch a key
_BLOB_EDGE = 512
_HEX_RUN = b"0123456789abcdef-"
_CLASSES = bytes(0x77 if chr(c).isascii() and (chr(c).isalnum() or chr(c) in "-_") else 0x20 for c in range(256))

_BASE64 = Lazy(r"[A-Za-z0-9+/]{12}")
_LONG_WORD = Lazy(r"[A-Za-z0-9_-]{12}")
_ESCAPE = Lazy(r"\\[abfnrtv]|%[0-9A-Fa-f]{2}|\\x[0-9A-Fa-f]{2}|\\u[0-9A-Fa-f]{4}")

_FEW_TEXTS = 64  # in which prefixes are looked for one by one: to compile them all takes 2 ms, which no hook has
_looked_at = 0
_any_prefix: re.Pattern[str] | None = None

_split: dict[str, list[tuple[str, tuple[str, str, str, str]]]] = {}
_bodies: dict[str, Lazy] = {}


def vendor_spans(text: str, flat: bytes) -> Iterator[Span]:
    """The keys in a text; `flat` is the text in ASCII, one byte per character."""
    runs = _Sieve.of_runs(flat)
    whole = _Sieve(text, [(0, [0])])
    for sieve, rows, shapes in ((runs, IN_RUNS, SHAPES_IN_RUNS), (whole, ANYWHERE, SHAPES_ANYWHERE)):
        if sieve.text:
            if rows is not IN_RUNS or _may_have_prefix(sieve.text):
                yield from _prefixed(text, sieve, rows)
            yield from _shaped(text, sieve, shapes)


class _Sieve:
    """The part of a text in which words are looked for, and where in the text it comes from."""

    __slots__ = ("pieces", "text")

    def __init__(self, text: str, pieces: list[tuple[int, list[int]]]) -> None:
        self.text = text
        self.pieces = pieces
        """Where each piece begins in the sieve, and all the places it has in the text."""

    @classmethod
    def of_runs(cls, flat: bytes) -> _Sieve:
        """The long runs of a text, each once, with a little of what stands before it, one to a line."""
        places: dict[bytes, list[int]] = {}
        classes = flat.translate(_CLASSES)
        end = 0
        run = classes.find(_RUN)
        while run >= 0:
            start = run - _BEFORE if run > _BEFORE else 0
            end = classes.find(b" ", run)
            if end < 0:
                end = len(classes)
            # Ids and digests are many, and no prefix is spelt in hex alone; but it may stand before a dot.
            if flat[run:end].strip(_HEX_RUN) or flat[start:run].endswith((b".", b"~")):
                for begin in (start,) if end - run < _BLOB_LENGTH else (start, end - _BLOB_EDGE):
                    places.setdefault(flat[begin : min(end, begin + _BLOB_LENGTH)], []).append(begin)
            run = classes.find(_RUN, end)
        pieces = []
        length = 0
        for piece, found in places.items():
            pieces.append((length, found))
            length += len(piece) + 1
        return cls(b"\n".join(places).decode("ascii"), pieces)

    def places(self, word: str) -> Iterator[int]:
        """Where in the text a word of the sieve stands, piece by piece."""
        index = 0
        found = self.text.find(word)
        while found >= 0:
            while index + 1 < len(self.pieces) and self.pieces[index + 1][0] <= found:
                index += 1
            inside, outside = self.pieces[index]
            yield from (place + found - inside for place in outside)
            found = self.text.find(word, found + len(word))


def _may_have_prefix(runs: str) -> bool:
    """Whether any prefix of IN_RUNS is worth looking for. One pattern for all of them takes a third of the time."""
    global _any_prefix, _looked_at
    if _any_prefix is None:
        _looked_at += 1
        if _looked_at <= _FEW_TEXTS:
            return True
        _any_prefix = re.compile(_any_of([prefix for prefix, _ in _by_prefix(IN_RUNS)]))
    return _any_prefix.search(runs) is not None


def _any_of(words: list[str]) -> str:
    """A pattern for any of some words that tries each character once."""
    if "" in words:
        return ""
    by_first: dict[str, list[str]] = {}
    for word in words:
        by_first.setdefault(word[0], []).append(word[1:])
    return "(?:" + "|".join(re.escape(first) + _any_of(rest) for first, rest in by_first.items()) + ")"


def _prefixed(text: str, sieve: _Sieve, rows: tuple[tuple[str, str, str, str], ...]) -> Iterator[Span]:
    haystack = sieve.text
    for prefix, row in _by_prefix(rows):
        if prefix in haystack:
            yield from _at_prefix(text, sieve, prefix, row)


def _by_prefix(rows: tuple[tuple[str, str, str, str], ...]) -> list[tuple[str, tuple[str, str, str, str]]]:
    key = rows[0][1]
    if key not in _split:
        _split[key] = [(prefix, row) for row in rows for prefix in row[1].split()]
    return _split[key]


def _at_prefix(text: str, sieve: _Sieve, prefix: str, row: tuple[str, str, str, str]) -> Iterator[Span]:
    name, _, body, guard = row
    pattern = _bodies.setdefault(body, Lazy(body))()
    begun = end = 0
    for start in sieve.places(prefix):
        if (start < end and start >= begun) or (guard and _guarded(text, start, guard)):
            continue
        match = pattern.match(text, start + len(prefix))
        if match:
            begun, end = start, match.end()
            yield match.start() if prefix[-1] in "=/" else start, end, name  # a word before the key is no part of it


def _guarded(text: str, start: int, guard: str) -> bool:
    """Whether what stands before a prefix says that it is part of something else."""
    if guard == "word":
        before = text[start - 1 : start]
        if not (before.isascii() and before.isalnum()):
            return False
        return not _ends_with_escape(text[max(start - 6, 0) : start])
    pattern = _BASE64 if guard == "blob" else _LONG_WORD
    return start >= 12 and pattern().match(text, start - 12) is not None


def _ends_with_escape(before: str) -> bool:
    return any(match.end() == len(before) for match in _ESCAPE().finditer(before))


def _shaped(text: str, sieve: _Sieve, rows: tuple[tuple[str, str, tuple[int, ...], Lazy], ...]) -> Iterator[Span]:
    for name, words, distances, pattern in rows:
        for word in words.split():
            if word in sieve.text:
                starts = (place - distance for place in sieve.places(word) for distance in distances)
                matches = (pattern().match(text, start) for start in starts if start >= 0)
                yield from ((match.start(), match.end(), name) for match in matches if match)
