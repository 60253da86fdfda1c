"""Samples of secrets where people and programs really leave them: a class, a text, and what must not survive of it.

    for sample in samples(seed=1, each=8): ...

Secrets are made up from a seed at run time, so that no key-shaped literal stands in the repository. Templates state a
shape a second time, from the formats' own documentation, and never look at the finders they are held against.
"""

from __future__ import annotations

import base64
import random
import string
from collections.abc import Callable, Iterator
from typing import NamedTuple

ALNUM = string.ascii_letters + string.digits
URL64 = ALNUM + "-_"
HEX = string.digits + "abcdef"
SIGNS = "!#%^*+~-_"


class Sample(NamedTuple):
    """One secret in its surroundings."""

    kind: str
    """The class it belongs to."""
    template: str
    text: str
    secrets: tuple[str, ...]
    """The pieces that must not survive."""


class Maker:
    """Makes secrets of several sorts from a seed."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def of(self, alphabet: str, size: int) -> str:
        return "".join(self.random.choice(alphabet) for _ in range(size))

    def password(self) -> str:
        """As people choose them: letters, a digit and a sign, 9 to 16 characters."""
        size = self.random.randint(7, 14)
        body = self.of(ALNUM + SIGNS, size)
        return self.of(string.ascii_letters, 1) + body + self.of(string.digits, 1)

    def plain(self) -> str:
        """Letters and digits alone, as a generator makes them."""
        return self.of(string.ascii_letters, 1) + self.of(ALNUM, self.random.randint(10, 22)) + self.of("23456789", 2)

    def hexed(self) -> str:
        return self.of(HEX, self.random.choice((32, 40, 64)))

    def token(self) -> str:
        """Long and random, of an unknown vendor."""
        return self.of(ALNUM, 12) + self.of(string.digits, 3) + self.of(URL64, 20) + self.of(ALNUM, 3)

    def base64(self, size: int = 32) -> str:
        return base64.b64encode(bytes(self.random.randrange(256) for _ in range(size))).decode()


PASSWORD, PLAIN, HEXED, TOKEN, BASE64 = Maker.password, Maker.plain, Maker.hexed, Maker.token, Maker.base64
Sort = Callable[[Maker], str]

ASSIGNMENTS: tuple[tuple[str, Sort], ...] = (
    ("DB_PASSWORD={S}", PASSWORD),
    ("export DATABASE_PASSWORD='{S}'", PASSWORD),
    ("VAULT_TOKEN={S}", PLAIN),
    ("export GITHUB_TOKEN={S}", TOKEN),
    ("SECRET_KEY = '{S}'", TOKEN),
    ('SECRET_KEY = "django-insecure-{S}"', TOKEN),
    ("JWT_SECRET={S}", HEXED),
    ("API_KEY: {S}", TOKEN),
    ('api_key = "{S}"', HEXED),
    ("password: {S}", PASSWORD),
    ("  password: '{S}'\n  user: ann", PASSWORD),
    ('"password": "{S}",', PASSWORD),
    ('{"client_secret":"{S}","client_id":"shop"}', TOKEN),
    ("client.secret={S}", TOKEN),
    ("spring.datasource.password={S}", PASSWORD),
    ("aws_secret_access_key = {S}", lambda maker: maker.of(ALNUM + "+/", 40)),
    ('PASSWORD = ("{S}")', PASSWORD),
    ('PASSWORD = (\n    "{S}"\n)', PASSWORD),
    ('password = f"{S}"', PLAIN),
    ('password = rf"{S}"', PLAIN),
    ('PASSWORD = """\n{S}\n"""', PASSWORD),
    ("API_TOKEN = '''{S}'''", TOKEN),
    ('API_TOKEN = """{S}"""', TOKEN),
    ('os.environ["API_TOKEN"] = "{S}"', TOKEN),
    ('os.environ.setdefault("DB_PASSWORD", "{S}")', PASSWORD),
    ('password := "{S}"', PASSWORD),
    ('const apiKey = "{S}";', TOKEN),
    ('private static final String DB_PASSWORD = "{S}";', PASSWORD),
    ("<password>{S}</password>", PASSWORD),
    ('<add key="ApiKey" value="{S}" />', TOKEN),
    ('<property name="password" value="{S}"/>', PASSWORD),
    ("started with DB_PASSWORD: {S} and 4 workers", PASSWORD),
    ("config: { AUTH_TOKEN: {S}, retries: 3 }", TOKEN),
    ("loaded API_TOKEN={S} from the environment", TOKEN),
    ("- name: DB_PASSWORD\n  value: {S}", PASSWORD),
    ('- name: API_TOKEN\n  value: "{S}"', TOKEN),
    ("            - name: REDIS_PASSWORD\n              value: {S}", PASSWORD),
    ('{"name": "DB_PASSWORD", "value": "{S}"}', PASSWORD),
    ('{\n  "name": "API_TOKEN",\n  "value": "{S}"\n}', TOKEN),
    ('{"Key": "SECRET_KEY", "Value": "{S}"}', TOKEN),
    ("ENV API_TOKEN {S}", TOKEN),
    ("ENV DB_PASSWORD={S}", PASSWORD),
    ("ARG NPM_TOKEN={S}", TOKEN),
    ("PresharedKey = {S}", BASE64),
    ("PrivateKey = {S}", BASE64),
    ("    client-key-data: {S}", lambda maker: maker.base64(120)),
    ("    token: {S}", TOKEN),
    ("//registry.npmjs.org/:_authToken={S}", TOKEN),
    ("_password={S}", BASE64),
    ("password_hash: no\nadmin_password: {S}", PASSWORD),
    ("requirepass {S}", PASSWORD),
    ('  storage_account_key = "{S}"', lambda maker: maker.base64(64)),
    ('variable "db_password" {\n  default = "{S}"\n}', PASSWORD),
    ("secret_key_base: {S}", lambda maker: maker.of(HEX, 128)),
)
HEADERS: tuple[tuple[str, Sort], ...] = (
    ("Authorization: Bearer {S}", TOKEN),
    ("authorization: token {S}", HEXED),
    ("Authorization: Basic {S}", lambda maker: base64.b64encode(f"ann:{maker.plain()}".encode()).decode()),
    ("X-Api-Key: {S}", TOKEN),
    ("X-Auth-Token: {S}", HEXED),
    ("X-Vault-Token: {S}", PLAIN),
    ("Proxy-Authorization: Basic {S}", BASE64),
    ("Private-Token: {S}", PLAIN),
    ("Cookie: session={S}", TOKEN),
    ("Cookie: theme=dark; sessionid={S}; lang=en", PLAIN),
    ("cookie: csrftoken=abc; JSESSIONID={S}", HEXED),
    ("Set-Cookie: session={S}; Path=/; HttpOnly", TOKEN),
    ("< set-cookie: connect.sid={S}; Path=/", TOKEN),
    ("Set-Cookie: auth_token={S}; Secure", TOKEN),
    ("Cookie: PHPSESSID={S}", PLAIN),
    ("-H 'Cookie: sid={S}'", PLAIN),
    ("-H 'Authorization: Bearer {S}'", TOKEN),
    ('req.Header.Set("Authorization", "Bearer {S}")', TOKEN),
    ('req.Header.Set("X-Api-Key", "{S}")', TOKEN),
    ('req.Header.Add("Authorization", "token {S}")', HEXED),
    ('req.SetBasicAuth("ann", "{S}")', PASSWORD),
    ('headers = {"Authorization": f"Bearer {S}"}', TOKEN),
    ('headers["X-Api-Key"] = "{S}"', TOKEN),
    ('requests.get(url, auth=("ann", "{S}"))', PASSWORD),
    ("httpx.Client(auth=('ann', '{S}'))", PASSWORD),
    ("auth = HTTPBasicAuth('ann', '{S}')", PASSWORD),
    ('axios.defaults.headers.common["Authorization"] = "Bearer {S}"', TOKEN),
    ('  .header("Authorization", "Bearer {S}")', TOKEN),
    ('  .basic_auth("ann", Some("{S}"))', PASSWORD),
    ('"Authorization":"Bearer {S}"', TOKEN),
)
URLS: tuple[tuple[str, Sort], ...] = (
    ("postgres://ann:{S}@db.shop.net:5432/orders", PLAIN),
    ("DATABASE_URL=postgresql+asyncpg://ann:{S}@localhost/orders", PLAIN),
    ("redis://:{S}@cache:6379/0", PLAIN),
    ("amqp://guest:{S}@mq:5672/", PLAIN),
    ("mongodb+srv://ann:{S}@cluster0.mongodb.net/shop", PLAIN),
    ("https://ann:{S}@git.shop.net/till.git", PLAIN),
    ("https://{S}@github.com/ann/till.git", TOKEN),
    ("https://oauth2:{S}@gitlab.com/ann/till.git", TOKEN),
    ("https://api.telegram.org/bot{S}/sendMessage",
     lambda maker: maker.of("123456789", 10) + ":AA" + maker.of(URL64, 33)),
    ("https://api.shop.net/v1/orders?api_key={S}", TOKEN),
    ("https://api.shop.net/v1?user=ann&access_token={S}&page=2", TOKEN),
    ("GET /v1/orders?token={S} HTTP/1.1", TOKEN),
    ("wss://stream.shop.net/?apikey={S}", TOKEN),
    ("https://storage.net/b/o?X-Amz-Signature={S}&x=1", lambda maker: maker.of(HEX, 64)),
    ('dsn: "ann:{S}@tcp(db:3306)/orders"', PLAIN),
    ("ann:{S}@tcp(127.0.0.1:3306)/orders?parseTime=true", PLAIN),
    ("Server=db;Database=orders;User Id=ann;Password={S};", PASSWORD),
    ("host=db user=ann password={S} dbname=orders sslmode=disable", PLAIN),
    ("jdbc:mysql://db/orders?user=ann&password={S}", PLAIN),
    ("DefaultEndpointsProtocol=https;AccountName=shop;AccountKey={S};EndpointSuffix=core.windows.net",
     lambda maker: maker.base64(64)),
    ("ftp://ann:{S}@files.shop.net/in", PLAIN),
    ("https://hooks.shop.net/?secret={S}", TOKEN),
    ("smtp://ann%40shop.net:{S}@mail.shop.net:587", PLAIN),
    ("https://{S}@sentry.shop.net/42", lambda maker: maker.of(HEX, 32) + ":" + maker.of(HEX, 32)),
)  # fmt: skip
SHELL: tuple[tuple[str, Sort], ...] = (
    ("docker login -u ann -p {S} registry.shop.net", PASSWORD),
    ("docker login --username ann --password {S}", PASSWORD),
    ("podman login -u ann -p '{S}' quay.io", PASSWORD),
    ("mysql -u root -p{S} orders", PASSWORD),
    ("mysqldump -uroot -p'{S}' orders > dump.sql", PASSWORD),
    ("mysql --password={S} -e 'select 1'", PASSWORD),
    ("sshpass -p {S} ssh ann@host", PASSWORD),
    ("sshpass -p '{S}' scp a ann@host:", PASSWORD),
    ("redis-cli -h cache -a {S} ping", PASSWORD),
    ("PGPASSWORD={S} psql -h db", PASSWORD),
    ("curl -u ann:{S} https://api.shop.net", PASSWORD),
    ("curl -H 'X-Api-Key: {S}' https://api.shop.net", TOKEN),
    ("curl --oauth2-bearer {S} https://api.shop.net", TOKEN),
    ("wget --user=ann --password={S} https://files.net", PASSWORD),
    ("psql -c \"ALTER USER ann WITH PASSWORD '{S}'\"", PASSWORD),
    ("CREATE USER 'ann'@'%' IDENTIFIED BY '{S}';", PASSWORD),
    ("ALTER USER ann IDENTIFIED WITH mysql_native_password BY '{S}';", PASSWORD),
    ("CREATE ROLE ann LOGIN PASSWORD '{S}';", PASSWORD),
    ("echo {S} | docker login -u ann --password-stdin", TOKEN),
    ("echo '{S}' | sudo -S apt update", PASSWORD),
    ("export AWS_SECRET_ACCESS_KEY={S}", lambda maker: maker.of(ALNUM + "+/", 40)),
    ("vault login {S}", PLAIN),
    ("vault kv put secret/db password={S}", PASSWORD),
    ("kubectl create secret generic db --from-literal=password={S}", PASSWORD),
    ("helm upgrade shop . --set db.password={S}", PASSWORD),
    ("az login --service-principal -u app -p {S} --tenant t", TOKEN),
    ("npm config set //registry.npmjs.org/:_authToken {S}", TOKEN),
    ("gh auth login --with-token <<< {S}", TOKEN),
    ("ansible-playbook site.yml -e ansible_become_pass={S}", PASSWORD),
    ("openssl enc -aes-256-cbc -k {S} -in a", PASSWORD),
    ("openssl rsa -in k -passin pass:{S}", PASSWORD),
    ("htpasswd -b users ann {S}", PASSWORD),
    ("smbclient //host/share -U ann%{S}", PASSWORD),
    ("heroku config:set API_TOKEN={S}", TOKEN),
    ("terraform apply -var 'db_password={S}'", PASSWORD),
    ("http --auth ann:{S} GET api.shop.net", PASSWORD),
    ("twine upload -u __token__ -p {S} dist/*", TOKEN),
    ("mongosh --username ann --password {S}", PASSWORD),
    ("ldapsearch -D cn=ann -w {S}", PASSWORD),
    ("7z x -p{S} a.7z", PASSWORD),
)


def samples(seed: int, each: int) -> Iterator[Sample]:
    """Yield `each` samples of every template, in a fixed order."""
    maker = Maker(seed)
    for kind, rows in (("assignment", ASSIGNMENTS), ("header", HEADERS), ("url", URLS), ("shell", SHELL)):
        for template, sort in rows:
            for _ in range(each):
                secret = sort(maker)
                if kind in ("shell", "url") and sort is PASSWORD:
                    secret = secret.replace("#", "+").replace("!", "+").replace("*", "+").replace("^", "+")
                yield Sample(kind, template, template.replace("{S}", secret), (secret,))
    for _ in range(each):
        yield from _vendors(maker)
        yield from _private_keys(maker)
        yield from _split(maker)


VENDORS: tuple[tuple[str, Callable[[Maker], str]], ...] = (
    ("aws", lambda maker: "AK" + "IA" + maker.of(string.ascii_uppercase + "234567", 16)),
    ("github", lambda maker: "gh" + "p_" + maker.of(ALNUM, 36)),
    ("github fine", lambda maker: "github" + "_pat_" + maker.of(ALNUM, 22) + "_" + maker.of(ALNUM, 59)),
    ("gitlab", lambda maker: "gl" + "pat-" + maker.of(URL64, 20)),
    ("slack", lambda maker: "xo" + f"xb-{maker.of('123456789', 12)}-{maker.of('123456789', 12)}-{maker.of(ALNUM, 24)}"),
    ("stripe", lambda maker: "sk" + "_live_" + maker.of(ALNUM, 24)),
    ("openai", lambda maker: "sk" + "-proj-" + maker.of(URL64, 74) + "T3Blbk" + "FJ" + maker.of(URL64, 74)),
    ("anthropic", lambda maker: "sk" + "-ant-api03-" + maker.of(URL64, 93) + "AA"),
    ("google", lambda maker: "AI" + "za" + maker.of(URL64, 35)),
    ("npm", lambda maker: "np" + "m_" + maker.of(ALNUM, 36)),
    ("sendgrid", lambda maker: "S" + "G." + maker.of(URL64, 22) + "." + maker.of(URL64, 43)),
    ("hugging face", lambda maker: "h" + "f_" + maker.of(string.ascii_letters, 34)),
    ("digitalocean", lambda maker: "do" + "p_v1_" + maker.of(HEX, 64)),
    ("shopify", lambda maker: "shp" + "at_" + maker.of(HEX, 32)),
    ("vault", lambda maker: "hv" + "s." + maker.of(URL64, 24)),
    ("telegram", lambda maker: maker.of("123456789", 10) + ":AA" + maker.of(URL64, 33)),
    ("jwt", lambda maker: "ey" + "JhbGciOiJIUzI1NiJ9" + ".ey" + maker.of(URL64, 30) + "." + maker.of(URL64, 43)),
)
PLACES = ("key {S} was rejected", "token={S}", '  "{S}",', "client = Client('{S}')", "{S}")


def _vendors(maker: Maker) -> Iterator[Sample]:
    for name, make in VENDORS:
        secret = make(maker)
        place = maker.random.choice(PLACES)
        yield Sample("vendor", name, place.replace("{S}", secret), (secret,))


def _private_keys(maker: Maker) -> Iterator[Sample]:
    lines = [maker.of(ALNUM + "+/", 64) for _ in range(6)]
    for label in ("RSA PRIVATE KEY", "PRIVATE KEY", "OPENSSH PRIVATE KEY", "EC PRIVATE KEY"):
        begin, end = f"-----BE{'GIN'} {label}-----", f"-----END {label}-----"
        yield Sample("pem", label, "\n".join([begin, *lines, end]), tuple(lines))
        in_json = f'"key": "{begin}\\n' + "\\n".join(lines) + f'\\n{end}\\n"'
        yield Sample("pem", f"{label} in JSON", in_json, tuple(lines))


def _split(maker: Maker) -> Iterator[Sample]:
    """Secrets that something cuts in two; each half is long enough to help a thief."""
    vendor = "gh" + "p_" + maker.of(ALNUM, 36)
    other = maker.token()
    for name, whole in (("vendor", vendor), ("named", other)):
        at = maker.random.randint(14, len(whole) - 12)
        one, two = whole[:at], whole[at:]
        before = 'token = "' if name == "named" else 'x = "'
        yield Sample("split", f"{name}, concatenated", f'{before}{one}" + "{two}"', (one, two))
        yield Sample("split", f"{name}, implicit", f'{before}{one}" "{two}"', (one, two))
        yield Sample("split", f"{name}, two lines", f'{before}{one}" \\\n    "{two}"', (one, two))
        yield Sample("split", f"{name}, colours", f"TOKEN={one}\x1b[0m{two}\x1b[1m", (one, two))
        yield Sample("split", f"{name}, continued", f"export TOKEN={one}\\\n{two}", (one, two))
        yield Sample("split", f"{name}, zero width", f"TOKEN={one}\u200b{two}", (one, two))
