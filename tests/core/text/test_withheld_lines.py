"""Lines of withheld files in output that names them by itself."""

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from ccos_core.text.ignore import Matcher, parse_rules
from ccos_core.text.sanitize import redact
from ccos_core.text.withheld import SECRET_LOOKING, TABLE, in_table, withheld
from ccos_core.text.withheld_lines import mask_lines
from tests.core.text.test_withheld import PLAIN, SECRET

MARK = "REDACTED_SECRET_PATH"


def why(path: str) -> str:
    return "secret-path" if withheld(path) else ""


def masked(text: str) -> str:
    return mask_lines(text, why)[0]


# Each `hunter` is text of a withheld file, each `plain` of another.
# ruff: noqa: E501
SHOWN = {
    "grep -rn": "a.py:3:plain .env\n./.env:3:A=hunter\nkey/id_rsa:1:hunter",
    "grep -r": ".env:A=hunter\na.py:plain = load('.env')",
    "grep -n -C1, with dashes in the path": "2024-01-02-x/.env-2-hunter\n2024-01-02-x/.env:3:hunter\n--\na.py-4-plain",
    "grep -C1": ".env-hunter=1\n.env:hunter=2\na.py-plain",
    "a path with spaces": "my notes/prod.env:3:hunter\nmy notes/a.txt:3:plain",
    "grep on windows": "C:\\code\\.env:3:hunter\nC:\\code\\a.py:3:plain",
    "git grep in a revision": "HEAD:.env:hunter\nHEAD~2:conf/.env:3:hunter\nHEAD:a.py:plain",
    "grep -p, as git does": ".env=1=hunter\n.env:3:hunter",
    "grep in colours": "\x1b[35m\x1b[K.env\x1b[m\x1b[K\x1b[36m\x1b[K:\x1b[m\x1b[K3\x1b[m:hunter\n\x1b[35ma.py\x1b[m:plain",
    "rg --heading": "src/.env\n3:hunter\n5-hunter\n--\n9:hunter\n\nsrc/a.py\n3:plain",
    "read_many_files": "--- /p/a.py ---\n\nplain\n\n--- /p/.env.local ---\n\nA=hunter\n\nB=hunter\n\n--- /p/b ---\n\nplain\n",
    "head -5 of many": "==> a <==\nplain\n\n==> .env <==\nhunter\n--- hunter\n\nhunter\n\n==> b <==\nplain\n",
    "git diff": "diff --git a/.env b/.env\nindex 1..2 100644\n--- a/.env\n+++ b/.env\n@@ -1,3 +1,3 @@ hunter\n A=hunter\n"
    "-B=hunter\n+B=hunter\n--- hunter\n+++ hunter\n\\ No newline at end of file\n"
    "diff --git a/a.py b/a.py\n--- a/a.py\n+++ b/a.py\n@@ -1 +1 @@ plain\n-plain\n+plain",
    "git log -p": "commit 1\n\n    plain\n\ndiff --git a/.env b/.env\ndeleted file mode 100644\n--- a/.env\n+++ /dev/null\n"
    "@@ -1 +0,0 @@\n-hunter\n\ncommit 2\n\n    plain",
    "git diff of a merge": "diff --cc .env\nindex 1,2..3\n--- a/.env\n+++ b/.env\n@@@ -1 -1 +1 @@@\n- hunter\n -hunter\n++hunter",
    "git diff --no-prefix": "diff --git .env .env\n--- .env\n+++ .env\n@@ -1 +1 @@\n-hunter",
    "a quoted name": 'diff --git "a/\\303\\251/.env" "b/\\303\\251/.env"\n--- "a/\\303\\251/.env"\n+++ x\n@@ -1 +1 @@\n-hunter',
    "a renamed file": "diff --git a/.env b/settings.txt\nrename from .env\nrename to settings.txt\n@@ -1 +1 @@\n-hunter",
    "a binary": "diff --git a/x.p12 b/x.p12\nGIT binary patch\nliteral 9\nzhunter\nzhunter\n\nliteral 0\nhunter\n\nplain",
    "diff -u, one after the other": "--- a/.env\t2024-01-01\n+++ b/.env\t2024-01-02\n@@ -1 +1 @@\n-hunter\n+hunter\n"
    "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-plain\n+plain",
    "diff -r": "diff -r a/.env b/.env\n1c1\n< hunter\n---\n> hunter\ndiff -r a/x b/x\n1c1\n< plain",
    "returns": "==> .env <==\r\nhunter\r\n\r\n==> b <==\r\nplain\r\n.env:3:hunter\r\n",
}  # fmt: skip


@pytest.mark.parametrize("text", SHOWN.values(), ids=SHOWN)
def test_what_is_shown_of_a_withheld_file_is_masked(text: str) -> None:
    safe, findings = mask_lines(text, why)
    assert "hunter" not in safe
    assert safe.count("plain") == text.count("plain")
    assert findings == (("secret:secret-path", safe.count(MARK), safe[: safe.index(MARK)].count("\n") + 1),)
    assert [line.endswith("\r") for line in safe.split("\n")] == [line.endswith("\r") for line in text.split("\n")]


@pytest.mark.parametrize("text", SHOWN.values(), ids=SHOWN)
def test_masked_lines_pass_as_they_are(text: str) -> None:
    safe = masked(text)
    again, findings = mask_lines(safe, why)
    assert again is safe
    assert findings == ()
    assert redact(safe)[0].count(MARK) == safe.count(MARK)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "\n",
        ".env",
        ".env\na.py\nid_rsa",
        "a.py:3:open('.env')",
        "  .env: hunter",
        ".env.example:1:A=",
        "process.env:3",
        "Put it into .env: so it says",
        "cat: .env: Permission denied",
        "==> .env.example <==\nA=",
        " M .env\n?? id_rsa",
        "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-open('.env')",
        "diff --git a/.env b/.env\nold mode 100644\nnew mode 100755",
    ],
)
def test_nothing_to_mask(text: str) -> None:
    safe, findings = mask_lines(text, why)
    assert safe is text
    assert findings == ()


def test_files_of_any_name() -> None:
    rules = Matcher(parse_rules("private/\n*.dump"))
    text = "private/a.py:3:hunter\nx.dump-3-hunter\nsrc/a.py:3:plain\n==> private/b <==\nhunter"
    safe, findings = mask_lines(text, lambda path: "ccosignore" if rules.hides(path) else "", any_name=True)
    assert "hunter" not in safe
    assert "plain" in safe
    assert findings == (("secret:ccosignore", 3, 1),)


# ---- laws ----

FORMS = ("{}:7:{}", "{}-7-{}", "{}:{}", "main:{}:{}", "==> {} <==\n{}", "--- {}\n+++ x\n@@ -1 +1 @@\n+{}", "{}\n7:{}")
paths = st.sampled_from([path for path in SECRET if " " not in path])
secrets = st.text(alphabet="XYZ+-:=<>@ \\\"'é", min_size=1, max_size=20).map(lambda said: f"hunter{said}")
others = st.lists(
    st.sampled_from(["", "plain", " plain", "a.py:3:plain", "a.py-4-plain", "def f(x): plain"]), max_size=4
)


@given(st.sampled_from(FORMS), paths, secrets, others)
@example("main:{}:{}", "C:\\code\\.env", "hunter", [])
def test_every_path_in_every_form(form: str, path: str, secret: str, above: list[str]) -> None:
    text = "\n".join([*above, "", form.format(path, secret)])
    safe, findings = mask_lines(text, why)
    assert "hunter" not in safe
    assert safe.count("\n") == text.count("\n")
    assert safe.count("plain") == text.count("plain")
    assert findings[0][:2] == ("secret:secret-path", 1)


@given(
    st.sampled_from(FORMS),
    st.sampled_from([path for path in PLAIN if not (withheld(path) or withheld(f"main:{path}"))]),
    st.from_regex(r"hunter[ =a-z]*", fullmatch=True),
)
def test_other_paths_in_every_form(form: str, path: str, secret: str) -> None:
    text = form.format(path, secret)
    assert masked(text) is text


PIECES = [
    "\n",
    "==> ",
    " <==",
    ".env",
    "a.py",
    "x.pem",
    ":",
    "-",
    "3",
    "diff --git a/",
    " b/",
    "--- ",
    "+++ ",
    "+",
    " ",
]
PIECES += [
    "@@ -1 +1 @@",
    "\r",
    "\t",
    "literal 3",
    "index 1",
    "HEAD",
    "\x1b[m",
    "\\",
    '"',
    "é",
    "\u2028",
    "\u00a0",
    "\udc80",
]


@given(st.lists(st.sampled_from(PIECES), max_size=40).map("".join))
def test_any_text(text: str) -> None:
    safe, findings = mask_lines(text, why)
    assert safe.count("\n") == text.count("\n")
    assert (safe == text) == (findings == ())
    for line, before in zip(safe.split("\n"), text.split("\n"), strict=True):
        assert line == before or line.rstrip("\r").endswith(MARK)
    assert mask_lines(safe, why) == (safe, ())
    assert mask_lines(text, lambda _: "", any_name=True) == (text, ())


@given(
    st.text() | st.lists(st.sampled_from([piece for piece in PIECES if piece not in (".env", "x.pem")])).map("".join)
)
def test_text_without_such_names_stays_the_same_object(text: str) -> None:
    assert masked(text) is text


RULES = [rule for rule in TABLE.split("\n") if rule and rule[0] not in "#!"]
names = st.text(alphabet="ab.-_ é%", max_size=6)


@given(st.sampled_from(RULES), st.lists(names, min_size=4, max_size=4))
def test_what_the_table_names_looks_secret(rule: str, filled: list[str]) -> None:
    """So that the table needn't be asked of anything else."""
    folders, *rest = filled
    path = rule.replace("**/", f"{folders}/" if folders else "")
    for each in rest:
        path = path.replace("*", each, 1)
    if in_table(path) and "//" not in path:  # as no path of a file has it
        assert SECRET_LOOKING().search(path)
        assert withheld(path)


def test_the_scan_looks_for_every_name_of_the_table() -> None:
    for rule in TABLE.split("\n"):
        path = re.sub(r"\*\*/?|\*", "x", rule)
        path = path if withheld(path) else re.sub(r"\*\*/", "", rule).replace("*", "x")
        if rule and rule[0] not in "#!":
            assert withheld(path), rule
            assert "hunter" not in masked(f"{path}:3:hunter"), rule
            assert "hunter" not in masked(f"==> {path} <==\nhunter"), rule
