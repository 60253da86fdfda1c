"""Secrets made up at run time, so that no key-shaped literal stands in the repository.

Each family states its shape a second time, on its own, from what its vendor publishes: the tests would prove little if
they drew their samples from the tables under test.
"""

from __future__ import annotations

import string

from hypothesis import strategies as st

ALNUM = string.ascii_letters + string.digits
URL64 = ALNUM + "-_"
HEX = string.digits + "abcdef"
UPPER = string.ascii_uppercase + string.digits


def _body(alphabet: str, length: int) -> st.SearchStrategy[str]:
    return st.text(alphabet, min_size=length, max_size=length)


def _join(*parts: object) -> st.SearchStrategy[str]:
    """A secret from literal words and (alphabet, length) bodies."""
    pieces = [_body(*part) if isinstance(part, tuple) else st.just(part) for part in parts]
    return st.tuples(*pieces).map("".join)


UUID = ((HEX, 8), "-", (HEX, 4), "-", (HEX, 4), "-", (HEX, 4), "-", (HEX, 12))

VENDORS: dict[str, st.SearchStrategy[str]] = {
    "aws-access-key": _join("AK", "IA", (UPPER, 16)),
    "aws temporary": _join("AS", "IA", (UPPER, 16)),
    "github classic": _join("gh", "p_", (ALNUM, 36)),
    "github oauth": _join("gh", "o_", (ALNUM, 36)),
    "github server": _join("gh", "s_", (ALNUM, 36)),
    "github fine-grained": _join("github", "_pat_", (ALNUM, 22), "_", (ALNUM, 59)),
    "gitlab": _join("gl", "pat-", (URL64, 20)),
    "slack bot": _join("xo", "xb-", (string.digits, 12), "-", (string.digits, 12), "-", (ALNUM, 24)),
    "slack webhook": _join("hooks.slack", ".com/services/T", (UPPER, 8), "/B", (UPPER, 8), "/", (ALNUM, 24)),
    "stripe live": _join("sk", "_live_", (ALNUM, 24)),
    "stripe restricted": _join("rk", "_test_", (ALNUM, 99)),
    "openai project": _join("sk", "-proj-", (URL64, 74), "T3Blbk", "FJ", (URL64, 74)),
    "openai classic": _join("sk", "-", (ALNUM, 20), "T3Blbk", "FJ", (ALNUM, 20)),
    "anthropic": _join("sk", "-ant-api03-", (URL64, 93), "AA"),
    "openrouter": _join("sk", "-or-v1-", (HEX, 64)),
    "google api": _join("AI", "za", (URL64, 35)),
    "google client secret": _join("GOC", "SPX-", (URL64, 28)),
    "google access": _join("ya", "29.", (URL64, 60)),
    "npm": _join("np", "m_", (ALNUM, 36)),
    "pypi": _join("py", "pi-AgE", "IcHlwaS5vcmc", (URL64, 70)),
    "twilio": _join("S", "K", (HEX, 32)),
    "sendgrid": _join("S", "G.", (URL64, 22), ".", (URL64, 43)),
    "mailgun": _join("ke", "y-", (HEX, 32)),
    "mailchimp": _join((HEX, 32), "-u", "s14"),
    "digitalocean": _join("do", "p_v1_", (HEX, 64)),
    "hugging face": _join("h", "f_", (string.ascii_letters, 34)),
    "groq": _join("gs", "k_", (ALNUM, 52)),
    "azure storage": _join("Account", "Key=", (ALNUM + "+/", 86), "=="),
    "azure client secret": _join((ALNUM, 3), "8", "Q~", (ALNUM + "_.-~", 33), "a"),
    "discord bot": _join("MTA4", "NzQ2", "NDgx", "NDY5", "NTM3", "NDA4", ".G", (ALNUM, 5), ".", (URL64, 38)),
    "discord webhook": _join("discord.com/api/web", "hooks/", (string.digits, 18), "/", (URL64, 68)),
    "telegram": _join("1", (string.digits, 9), ":A", "A", (URL64, 33)),
    "databricks": _join("da", "pi", (HEX, 32)),
    "shopify": _join("shp", "at_", (HEX, 32)),
    "linear": _join("lin", "_api_", (ALNUM, 40)),
    "notion": _join("nt", "n_", (ALNUM, 46)),
    "notion old": _join("sec", "ret_", (ALNUM, 43)),
    "vault": _join("hv", "s.", (URL64, 24)),
    "doppler": _join("dp", ".pt.", (ALNUM, 43)),
    "docker": _join("dckr", "_pat_", (URL64, 27)),
    "atlassian": _join("ATA", "TT3", (URL64, 180), "=", (UPPER, 8)),
    "supabase": _join("sb", "p_", (HEX, 40)),
    "heroku": _join("HR", "KU-", (URL64, 60)),
    "age": _join("AGE-SEC", "RET-KEY-1", (UPPER, 58)),
    "terraform": _join((ALNUM, 14), ".atlas", "v1.", (URL64, 67)),
    "grafana": _join("gl", "sa_", (ALNUM, 32), "_", (HEX, 8)),
    "new relic": _join("NR", "AK-", (UPPER, 27)),
    "postman": _join("PM", "AK-", (HEX, 24), "-", (HEX, 34)),
    "tailscale": _join("ts", "key-auth-", (ALNUM, 16), "-", (ALNUM, 32)),
    "replicate": _join("r", "8_", (ALNUM, 37)),
    "figma": _join("fi", "gd_", (URL64, 40)),
    "airtable": _join("p", "at", (ALNUM, 14), ".", (HEX, 64)),
    "plaid": _join("access", "-sandbox-", *UUID),
    "sentry": _join("sntr", "yu_", (HEX, 64)),
    "openshift": _join("sha256", "~", (URL64, 43)),
    "jwt": _join("ey", "JhbGciOiJIUzI1NiJ9", ".ey", (URL64, 30), ".", (URL64, 43)),
}

VENDOR_SECRETS = st.one_of(*VENDORS.values())

# Nothing in these joins a secret to a longer word.
EDGES = st.sampled_from(
    [" ", "\n", "\t", '"', "'", "`", "=", ":", ", ", "(", ")", "[", "]", "<", ">", "{", "}", ";", "|"]
)

PASSWORDS = (
    st.text(ALNUM + "!#%^*+~", min_size=8, max_size=40)
    .filter(lambda text: any(char.isdigit() for char in text) and any(char.isalpha() for char in text))
    .map(lambda text: "q9" + text + "z")
)

# A leading + is the mark of a diff, and stays.
PEM_LINES = st.lists(_body(ALNUM + "+/", 63).map("M".__add__), min_size=1, max_size=6)


def pem(lines: list[str], label: str = "RSA PRIVATE KEY", newline: str = "\n") -> str:
    return newline.join([f"-----BE{'GIN'} {label}-----", *lines, f"-----END {label}-----"])
