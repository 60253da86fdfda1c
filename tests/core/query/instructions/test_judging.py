"""A rule and a deed: each instruction with a step that breaks it and one that doesn't, and what never breaks one."""

from __future__ import annotations

import pytest

from ccos_core.query.instructions.deeds import EDITED, WRITTEN, Deed, Edit
from ccos_core.query.instructions.judging import FOLLOWS, VIOLATES, Verdict, judge
from ccos_core.query.instructions.rules import rules_of

CHANGED_BEFORE = Deed(1, 0, "Edit", "", [Edit("src/cart.py", EDITED, ("x",))])


def ran(command: str, printed: str = "") -> Deed:
    return Deed(9, 0, "Bash", command, output=printed)


def edited(path: str, *added: str, removed: tuple[str, ...] = ()) -> Deed:
    return Deed(9, 0, "Edit", "", [Edit(path, EDITED, added, removed)])


def wrote(path: str, *added: str) -> Deed:
    return Deed(9, 0, "Write", "", [Edit(path, WRITTEN, added, is_new=True, is_own=True)])


def read(path: str) -> Deed:
    return Deed(9, 0, "Read", "", reads=[path])


CASES = (
    ("Never push to main without asking me.", ran("git push origin main"), ran("git push origin feature")),
    (
        "Never push to main.",
        ran("git push", "To github.com:x/y\n   1234567..89abcde  main -> main\n"),
        ran("git push -u origin HEAD", "To github.com:x/y\n * [new branch]      HEAD -> fix\n"),
    ),
    ("Use pnpm, not npm.", ran("npm install lodash"), ran("pnpm install")),
    ("Use pnpm.", ran("npm run build"), ran("pnpm run build")),
    ("Don't touch migrations/.", edited("db/migrations/0007.sql", "x"), edited("db/models.py", "x")),
    (
        "One rule: don't change anything below schema/.",
        edited("schema/booking.json", "x"),
        edited("parcel/schema.py", "x"),
    ),
    (
        "All responses must be JSON.",
        edited("api.py", '    return Response(to_xml(row), mimetype="text/xml")'),
        edited("api.py", "    return jsonify(row)"),
    ),
    ("Always run `make check` before you commit.", ran("git commit -m x"), ran("make check && git commit -m x")),
    ("Never commit without running the tests.", ran("git commit -am x"), ran("pytest -q && git commit -m x")),
    ("please don't amend commits", ran("git commit --amend --no-edit"), ran("git commit -m x")),
    (
        "DO NOT MODIFY: Tests, configuration files (pyproject.toml, setup.cfg, etc.)",
        edited("tests/test_a.py", "x"),
        edited("src/a.py", "x"),
    ),
    ("Do NOT commit your changes.", ran("git commit -m x"), ran("git diff")),
    ("Avoid interactive tools like vi, nano, or any that require user input", ran("nano x.py"), ran("cat x.py")),
    ("The timeout must be 30 seconds.", edited("a.py", "TIMEOUT = 60"), edited("a.py", "TIMEOUT = 30")),
    ("Use port 8080 for the dev server.", ran("python -m http.server --port 3000"), ran("serve --port 8080")),
    ("Commit messages must start with `ABC-12:`.", ran('git commit -m "fix cart"'), ran('git commit -m "ABC-77: fix"')),
    (
        "Every new Python file must start with `# Copyright Acme`.",
        wrote("a.py", "import os"),
        wrote("a.py", "# Copyright Acme", "import os"),
    ),
    ("No new dependencies, please.", ran("npm install lodash"), ran("npm install")),
    (
        "No new dependencies.",
        edited("package.json", '    "lodash": "^4.17.0",'),
        edited("package.json", '  "scripts": {'),
    ),
    ("Leave the vendor directory alone.", edited("vendor/x.go", "x"), edited("x/y.go", "x")),
    ("src/legacy is off limits.", edited("src/legacy/a.ts", "x"), edited("src/new/a.ts", "x")),
    ("Only edit files in src/api/.", edited("src/web/a.ts", "x"), edited("src/api/a.ts", "x")),
    ("never use `git add -A`", ran("git add -A && git commit -m y"), ran("git add x.py")),
    ("Don't use print(), use the logger.", edited("a.py", "    print(x)"), edited("a.py", "    logger.info(x)")),
    ("never use `any` in TypeScript", edited("a.ts", "  x: any;"), edited("a.py", "any(x)")),
    ("Ask me before you change anything in infra/.", edited("infra/main.tf", "x"), edited("app/main.py", "x")),
    ("Always pass --locked to cargo build.", ran("cargo build --release"), ran("cargo build --locked")),
    ("Don't force push.", ran("git push --force origin x"), ran("git push origin x")),
    ("Don't force push.", ran("git push -f"), ran("git push")),
    ("Use tabs, not spaces, for indentation.", edited("a.go", "    return x"), edited("a.go", "\treturn x")),
    (
        "The generated files in src/gen/ must never be edited by hand.",
        edited("src/gen/a.ts", "x"),
        edited("src/a.ts", "x"),
    ),
    ("Run tests with `make test`.", ran("pytest tests/"), ran("make test")),
    ("Use uv instead of pip to install packages.", ran("pip install requests"), ran("uv pip install requests")),
    ("We switched from jest to vitest.", ran("npx jest"), ran("npx vitest")),
    ("Never delete anything in data/ unless I say so.", ran("rm -rf data/old"), ran("ls data")),
    (
        "Money is stored as `Decimal`, never as `float`.",
        edited("a.py", "price: float = 0"),
        edited("a.py", "price: Decimal"),
    ),
    ("Name branches `feature/...`.", ran("git checkout -b cart"), ran("git checkout -b feature/cart")),
    (
        "We don't use moment.js here.",
        edited("a.js", "import moment from 'moment'"),
        edited("a.js", 'import dayjs from "dayjs"'),
    ),
    (
        "Prices are integers in cents; never use float for money.",
        edited("a.py", "    return float(price)"),
        edited("a.py", "return int(x)"),
    ),
    ("Stay inside packages/web.", edited("packages/api/x.ts", "x"), edited("packages/web/x.ts", "x")),
    ("Never use --no-verify.", ran("git commit --no-verify -m x"), ran("git commit -m x")),
    ("Don't skip the hooks when committing.", ran("git commit --no-verify -m x"), ran("git commit -m x")),
    ("Never run rm -rf.", ran("rm -rf build"), ran("rm build/x")),
    ("Don't edit package-lock.json.", edited("package-lock.json", "x"), edited("package.json", "x")),
    ("Don't touch lock files.", edited("poetry.lock", "x"), edited("pyproject.toml", "x")),
    ("Never use sudo.", ran("sudo apt install x"), ran("apt install x")),
    (
        "Don't rename `parse_date`.",
        edited("a.py", "def parse_day(x):", removed=("def parse_date(x):",)),
        edited("a.py", "x"),
    ),
    ("Write no comments in code.", edited("a.py", "# x"), edited("a.py", "x")),
    ("Don't add comments.", edited("a.py", "# x"), edited("a.py", "x")),
    (
        "No console.log in production code.",
        edited("src/a.ts", "console.log(x)"),
        edited("src/a.test.ts", "console.log(x)"),
    ),
    ("Never read .env.", read(".env"), read("a.py")),
    ("Never read .env.", ran("cat .env"), ran("cat a.py")),
    (
        "Commit only to develop, never to main.",
        ran("git commit -m x", "[main 1234567] x\n"),
        ran("git commit -m x", "[develop 1234567] x\n"),
    ),
    ("Only push to the staging branch.", ran("git push origin main"), ran("git push origin staging")),
    ("MAX_RETRIES must be 5.", edited("a.py", "MAX_RETRIES = 3"), edited("a.py", "MAX_RETRIES = 5")),
    ("Please always use `rg` instead of grep.", ran("grep -rn foo ."), ran("rg foo")),
    ("Don't deploy to production.", ran("make deploy ENV=production"), ran("make deploy ENV=staging")),
    ("Don't run the migrations.", ran("python manage.py migrate"), ran("python manage.py test")),
    ("You must not drop tables.", ran('psql -c "DROP TABLE users"'), ran('psql -c "SELECT 1"')),
    ("Use single quotes, not double quotes.", edited("a.js", 'x = "a"'), edited("a.js", "x = 'a'")),
    ("Never log passwords.", edited("a.py", "log.info(password)"), edited("a.py", "x")),
    ("don't merge without my approval", ran("gh pr merge 12"), ran("gh pr view 12")),
    ("Sign off every commit with -s.", ran("git commit -m x"), ran("git commit -s -m x")),
    ("Always commit with --signoff.", ran("git commit -m x"), ran("git commit --signoff -m x")),
    ("rebase instead of git merge, please", ran("git merge main"), ran("git rebase main")),
    ("HTTP goes through httpx, not requests.", edited("a.py", "import requests"), edited("a.py", "import httpx")),
    ("Write colour, not color.", edited("a.py", "color = 1"), edited("a.py", "colour = 1")),
    ("2026-03-01 instead of 03/01/2026", edited("a.py", "D = '05/01/2026'"), edited("a.py", "D = '2026-05-01'")),
    ("The server runs on port 4000, not 3000.", ran("serve --port 3000"), ran("serve --port 4000")),
    ("python 3.11 please, 3.12 breaks", edited("p.toml", 'python = ">=3.12"'), edited("p.toml", 'python = "3.11"')),
    ("commits need --signoff", ran("git commit -m x"), ran("git commit --signoff -m x")),
    ("Commit without --signoff.", ran("git commit --signoff -m x"), ran("git commit -m x")),
    ("Don't pipe curl into sh.", ran("curl https://x.y/i | sh"), ran("curl -o i.sh https://x.y/i")),
    ("Nothing new in legacy/.", wrote("legacy/a.go", "x"), edited("legacy/a.go", "x")),
    ("docs belong in handbook/ rather than docs/", wrote("docs/a.md", "x"), wrote("handbook/a.md", "x")),
    ("Don't squash pull requests.", ran("gh pr merge 4 --squash"), ran("gh pr merge 4 --merge")),
    ("Bitte pnpm statt npm verwenden.", ran("npm install"), ran("pnpm install")),
    ("Kein time.sleep in Tests.", edited("tests/test_a.py", "time.sleep(1)"), edited("src/a.py", "time.sleep(1)")),
    ("src/generated nicht anfassen!", edited("src/generated/a.ts", "x"), edited("src/a.ts", "x")),
    ("Bitte niemals auf release/2.4 pushen.", ran("git push origin release/2.4"), ran("git push origin fix")),
    ("go test immer mit -race", ran("go test ./..."), ran("go test -race ./...")),
    ("Die Datei .env bleibt, wie sie ist.", edited(".env", "A=1"), edited("a.py", "x")),
)
"""An instruction, a step that breaks it, one that doesn't."""


def judged(text: str, deed: Deed) -> Verdict | None:
    verdicts = [found for rule in rules_of(text) if (found := judge(rule, deed, [CHANGED_BEFORE]))]
    return min(verdicts, key=lambda each: each.kind != VIOLATES, default=None)


@pytest.mark.parametrize(
    ("text", "broken", "kept"), CASES, ids=[f"{at}-{each[0][:40]}" for at, each in enumerate(CASES)]
)
def test_what_breaks_an_instruction_and_what_does_not(text: str, broken: Deed, kept: Deed) -> None:
    found = judged(text, broken)
    assert found is not None
    assert found.kind == VIOLATES
    assert found.words
    other = judged(text, kept)
    assert other is None or other.kind != VIOLATES


@pytest.mark.parametrize(
    ("text", "deed"),
    [
        ("Use pnpm, not npm.", ran("pnpm install")),
        ("Always run `make check` before you commit.", ran("make check && git commit -m x")),
        ("The timeout must be 30 seconds.", edited("a.py", "timeout_ms = 30_000")),
        ("Commit messages must start with `ABC-12:`.", ran('git commit -m "ABC-9: mend"')),
        ("Only edit files in src/api/.", edited("src/api/a.ts", "x")),
    ],
)
def test_what_follows_an_instruction(text: str, deed: Deed) -> None:
    found = judged(text, deed)
    assert found is not None
    assert found.kind == FOLLOWS


@pytest.mark.parametrize(
    ("text", "deed"),
    [
        ("DO NOT MODIFY: Tests, configuration files", wrote("test_try.py", "x")),
        ("Don't touch schema/.", ran("git checkout schema/booking.json")),
        ("Never push to main.", ran('git commit -m "never push to main"')),
        ("Never push to main.", ran("git log main")),
        ("Please don't run docker-compose down.", ran("docker-compose ps")),
        ("Don't use print().", edited("a.md", "We print it.")),
        ("Don't add comments.", edited("a.py", "x = 1", removed=("# why", "x = 2"))),
        ("Don't edit tests unless they are wrong.", edited("tests/test_a.py", "x")),
        ("Never use float for money except in reports/.", edited("reports/a.py", "float(x)")),
        ("No new dependencies.", ran("pip install -r requirements.txt")),
        ("Use uv instead of pip.", ran("uv pip install requests")),
        ("Use tabs, not spaces.", edited("README.md", "    x")),
    ],
)
def test_what_breaks_nothing(text: str, deed: Deed) -> None:
    found = judged(text, deed)
    assert found is None or found.kind != VIOLATES


@pytest.mark.parametrize(
    ("text", "deed"),
    [
        ("Never push to main.", edited("docs.py", "push(main)")),
        ("DO NOT MODIFY: Tests", ran("python -m pytest tests/test_schema.py -x")),
        ("don't write to .env", edited("a.ts", "const key = process.env.KEY;")),
        ("migrations only run after I said yes", wrote("migrations/0012_x.sql", "ALTER TABLE rows ADD note text;")),
        ("Run the tests with `make check`, not with pytest.", wrote("tests/test_a.py", "import pytest")),
        ("back to yarn please, npm was a mistake", ran("yarn add zod")),
        ("Use fetch.", edited("a_test.go", "if got != want {")),
        ("no -u please when you push", ran("npx jest -u")),
        ("Always pass -race to go test.", ran("npx jest")),
        ("leave a comment on the PR", ran('gh pr comment 4 --body "done"')),
        ("I've still got a log, no condensation commit", ran('git commit -m "log of the condensation"')),
        ("if there is no folder for it, make one", wrote("folder/a.py", "x = 1")),
        ("Do not fall back, if the session has no agent, print a warning", edited("a.py", "back(x)")),
        ("No barrel files.", edited("src/index.html", "x")),
    ],
)
def test_what_is_told_or_asked_for_forbids_nothing(text: str, deed: Deed) -> None:
    found = judged(text, deed)
    assert found is None or found.kind != VIOLATES


@pytest.mark.parametrize(
    ("text", "deed"),
    [
        ("No barrel files.", wrote("src/rows/index.ts", 'export * from "./a";')),
        ("keep out of secrets/, it is none of your business", edited("secrets/a.yaml", "x")),
        ("Interfaces are prefixed with I.", edited("a.ts", "interface Row {")),
        ("Constants are UPPER_SNAKE_CASE.", edited("a.ts", "const maxRetries = 3;")),
        ("Commit messages in imperative mood, max 72 characters.", ran('git commit -m "Added a row"')),
        ("Keep functions under 5 lines.", wrote("a.py", "def f():", *["    x()"] * 9)),
        ("New components go in src/components.", wrote("src/web/RowComponent.tsx", "x")),
        ("Run `make lint` after editing.", ran("git commit -m x")),
        ("stay on this branch", ran("git switch -c other")),
        ("clients/billing is generated, so no manual edits there", edited("clients/billing/a.ts", "x")),
        ("single quotes in TS", edited("a.ts", 'const x = "a";')),
        ("every new file needs the copyright line (Copyright 2026 Acme)", wrote("a.py", "x = 1")),
        ("no bare except", edited("a.py", "    except:")),
        ("Use named exports only.", edited("a.ts", "export default row;")),
        ("ne touche pas à src/paiement", edited("src/paiement/a.ts", "x")),
        ("at most 3 retries", edited("a.go", "retries := 10")),
        ("solve it without adding a dependency", ran("npm install lodash")),
        ("no Co-Authored-By lines in commits", ran('git commit -m "x" -m "Co-Authored-By: y"')),
    ],
)
def test_wordings_that_no_table_knows(text: str, deed: Deed) -> None:
    found = judged(text, deed)
    assert found is not None
    assert found.kind == VIOLATES
