"""Made-up people in sentences of many kinds: what the finders of personal data are measured on.

The values are generated with the forms and checksums that the world uses; the sentences were written without looking at
the finders, and a test tells the share found of each kind.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

FIRST = ("Anna", "José", "Łukasz", "Mary-Jane", "Priya", "Kwame", "Søren", "Zoë", "Ahmed", "Yuki", "Bob", "Ingrid")
LAST = ("Schmidt", "O'Brien", "Nguyen", "García", "van der Berg", "Kowalski", "Okafor", "Tanaka", "Müller", "Rossi")
HOSTS = ("gmail.com", "web.de", "firma-nord.de", "uni.ac.uk", "mail.company.io", "proton.me", "orange.fr", "acme.co.jp")

SENTENCES = {
    "mail": (
        "Please send the invoice to {}.", "{} reported it", "cc: {}; thanks", "Author: Someone <{}>",
        "login={} role=admin",         'the account "{}" is locked', "(mail {} if it breaks)", "- owner: {}",
        "'{}' kann sich nicht anmelden",
        "assign it to {}, she knows the code", "contact\n{}\nfor access", "user {} has 3 open tickets", "{}",
        "mailto:{}", "to: {}, subject: rates", "email={}&plan=pro",
    ),
    "phone": (
        "You can reach me at {}.", "call {} after nine", "Phone: {}", "My number is {}, text me", "Tel. {}",
        "mobile {} (not on Fridays)", "the on-call phone is {}", "Ruf mich unter {} an", "WhatsApp {}",
        "fax: {}", "ring me on {} when it's deployed", "Telefon: {}, Herr Maier", "contact: {}",
    ),
    "iban": (
        "Transfer it to {}.", "IBAN: {}", "the refund goes to account {} today", "iban={};amount=12", "Konto {}",
        "use '{}' as the test account", "my bank details: {}", "({})", "{} is the creditor", "pay {} please",
    ),
    "card": (
        "charge {} for the trial", "card number: {}", "The customer paid with {}.",
        'pan="{}"', "card {} was declined",
        "use {}, it's mine", "Kreditkarte {}", "visa {} exp 04/29", "({})", "refund {} today, please",
    ),
    "address": (
        "ssh into {} and restart it", "the server at {} is down", "client {} sent too much", "my laptop is {}",
        "connect to {}:8080", "http://{}/status fails", "host={}", "ping {} times out", "from {} port 22",
        "DNS points at {}", "block {} in the firewall", "login failed for root from {}", "IP address: {}",
    ),
    "name": (
        "my name is {} and I own this repo", "Hi, my name is {}.", "My name's {}, I work on billing",
        "Hallo, ich heiße {}.",         "My full name is {}", "mein Name ist {}, bitte duzen",
        "Bonjour, je m'appelle {}.", "Hola, me llamo {}",
        "by the way: my name is {}!", "MY NAME IS {}",
    ),
}  # fmt: skip


COUNTRIES = {"DE": 22, "FR": 27, "GB": 22, "NL": 18, "ES": 24, "CH": 21, "NO": 15}
"""Country → length of its IBANs."""


def samples(number: int, seed: int = 1) -> Iterator[tuple[str, str, str]]:
    """Yield (kind, value, sentence with it)."""
    random = Random(seed)
    for kind, sentences in SENTENCES.items():
        for _ in range(number):
            value = MAKERS[kind](random)
            yield kind, value, random.choice(sentences).format(value)


def _mail(random: Random) -> str:
    first, last = random.choice(FIRST).lower(), random.choice(LAST).lower().replace(" ", "").replace("'", "")
    local = random.choice(
        (f"{first}.{last}", f"{first[0]}{last}", f"{first}+work", f"{last}_{random.randint(1, 99)}", first)
    )
    plain = local.encode("ascii", "ignore").decode() or "me"
    return f"{plain}@{random.choice(HOSTS)}"


def _digits(random: Random, number: int) -> str:
    return "".join(random.choices("0123456789", k=number))


def _phone(random: Random) -> str:
    area, one, two = str(random.randint(201, 989)), str(random.randint(200, 999)), _digits(random, 4)
    pairs = " ".join(_digits(random, 2) for _ in range(4))
    return random.choice((
        f"+1 {area} {one} {two}", f"({area}) {one}-{two}", f"{area}-{one}-{two}",
        f"+1-{area}-{one}-{two}", f"{area}.{one}.{two}",
        f"+49 {random.randint(30, 89)} {_digits(random, 7)}", f"0{random.randint(150, 179)} {_digits(random, 7)}",
        f"0{random.randint(150, 179)}/{_digits(random, 8)}",
        f"+49 (0) {random.randint(30, 89)} {_digits(random, 6)}",
        f"+44 20 {_digits(random, 4)} {_digits(random, 4)}", f"07{_digits(random, 3)} {_digits(random, 6)}",
        f"+33 {random.randint(1, 7)} {pairs}", f"0{random.randint(1, 7)} {pairs}",
        f"+91 9{_digits(random, 4)} {_digits(random, 5)}", f"+46{random.randint(70, 79)}{_digits(random, 7)}",
        f"0049 {random.randint(30, 89)} {_digits(random, 8)}", f"+81-3-{_digits(random, 4)}-{_digits(random, 4)}",
    ))  # fmt: skip


def _iban(random: Random) -> str:
    country, length = random.choice(
        (("DE", 22), ("FR", 27), ("GB", 22), ("NL", 18), ("ES", 24), ("CH", 21), ("NO", 15))
    )
    body = ("ABNA" if country in ("GB", "NL") else "") + _digits(random, length)
    body = body[: length - 4]
    check = 98 - int("".join(str(int(char, 36)) for char in f"{body}{country}00")) % 97
    plain = f"{country}{check:02}{body}"
    return random.choice((plain, " ".join(plain[at : at + 4] for at in range(0, len(plain), 4))))


def _card(random: Random) -> str:
    begin, length = random.choice((("4", 16), ("51", 16), ("55", 16), ("2221", 16), ("37", 15), ("6011", 16)))
    body = begin + _digits(random, length - 1 - len(begin))
    doubled = [int(each) * (2 - place % 2) for place, each in enumerate(reversed(body))]
    plain = body + str(-sum(each - 9 * (each > 9) for each in doubled) % 10)
    groups = (4, 6, 5) if length == 15 else (4, 4, 4, 4)
    parts = [plain[sum(groups[:at]) : sum(groups[: at + 1])] for at in range(len(groups))]
    return random.choice((plain, " ".join(parts), "-".join(parts)))


def _address(random: Random) -> str:
    octets = [random.choice((10, 172, 192, 203, 81, 46, 5)), *random.choices(range(1, 255), k=3)]
    if octets[0] == 203:
        octets[1] = 12
    groups = [f"{random.randint(1, 0xFFFF):x}" for _ in range(8)]
    four = ".".join(map(str, octets))
    return random.choice((four, four, f"2a02:8109:{':'.join(groups[:2])}::{groups[3]}", f"2a01:{':'.join(groups[1:])}"))


def _name(random: Random) -> str:
    first, last = random.choice(FIRST), random.choice(LAST)
    return random.choice((first, f"{first} {last}", f"{first} {last}", first.lower()))


MAKERS = {"mail": _mail, "phone": _phone, "iban": _iban, "card": _card, "address": _address, "name": _name}
