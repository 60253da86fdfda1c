"""The same record gives the same state and the same windows, byte for byte, wherever it is folded.

Under any hash seed, time zone and locale; whatever kernels numpy finds and whichever features of the processor it is
told not to use; in every Python at hand; and where no grammar is installed, since facts are part of the record.
"""

import json
import subprocess
import sys

import pytest

from ccos_core.session import lifecycle
from ccos_core.session.ingest import ingest
from ccos_core.session.session import open_session
from ccos_core.session.worlds import Knowing
from tests.laws.test_everywhere import ENVIRONMENTS, ROOT, clean_environment, others, with_packages

TREE = {
    "shop/api.py": "from .store import load, save\n\n\ndef handle(request):\n    '''Answer one request.'''\n"
    "    return load(request).total + 1\n\n\ndef keep(row):\n    return save(row)\n",
    "shop/__init__.py": "from .api import handle\n",
    "shop/store.py": "from dates import due, LATE\n\n\nclass Row:\n    total = LATE\n\n\ndef load(request):\n"
    "    due(request)\n    return Row()\n\n\ndef save(row):\n    return row\n",
    "dates.py": "LATE = 30\n\n\ndef due(request):\n    return request + LATE\n",
    "web/cart.ts": "import { price } from './price';\n\nexport function total(rows: number[]) {\n"
    "  return rows.map(price);\n}\n",
    "web/price.ts": "export const RATE = 3;\nexport function price(row: number) {\n  return row * RATE;\n}\n",
    "go.mod": "module shop\n",
    "pay/pay.go": 'package pay\n\nimport "shop/tax"\n\nfunc Pay(x int) int {\n\treturn tax.Of(x)\n}\n',
    "tax/tax.go": "package tax\n\nconst Rate = 3\n\nfunc Of(x int) int {\n\treturn x * Rate\n}\n",
    "src/lib.rs": "mod money;\nuse money::round;\n\npub fn pay(x: u32) -> u32 {\n    round(x)\n}\n",
    "src/money.rs": "pub fn round(x: u32) -> u32 {\n    x\n}\n",
}
FAILING = (
    'Traceback (most recent call last):\n  File "/ci/shop/api.py", line 6, in handle\n'
    "    return load(request).total + 1\nTypeError: LATE\n"
)
LENSES = [
    "working-set",
    "around:shop/api.py",
    "around:web/cart.ts",
    "around:pay/pay.go",
    "around:src/lib.rs",
    "task:the total of a request is late",
    "hybrid:TypeError in handle, see `Row.total` and dates.py",
]
PROGRAM = """
import json, sys
sys.path.insert(0, sys.argv[1])
if sys.argv[4] == "bare":
    sys.modules["tree_sitter"] = sys.modules["tree_sitter_language_pack"] = None
from ccos_core.session.worlds import Knowing
from ccos_core.storage.opening import open_record
from ccos_core.values.canon import canonical, digest
from ccos_core.window.lenses import window_of
with open_record(sys.argv[2]) as record:
    knowing = Knowing(record)
    assert not knowing.facts.missing, knowing.facts.missing
    asked = [(lens, budget) for lens in json.loads(sys.argv[3]) for budget in (90, 900)]
    shown = [window_of(lens, budget, knowing, knowing.world) for lens, budget in asked]
    print(knowing.digest(), *[digest((each.text + repr(each.items)).encode()).hex()[:16] for each in shown])
"""
KERNELS = [
    {"OPENBLAS_CORETYPE": "Nehalem", "NPY_DISABLE_CPU_FEATURES": "AVX512F AVX512CD AVX512_SKX"},
    {"OPENBLAS_CORETYPE": "Haswell", "OPENBLAS_NUM_THREADS": "1", "NPY_DISABLE_CPU_FEATURES": "AVX2 FMA3"},
]


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A record of a small project in four languages, with a failure, an edit, and every fact recorded."""
    folder = tmp_path_factory.mktemp("shop")
    for path, text in TREE.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
    path = str(folder / "work.ccos")
    lifecycle.init(path, str(folder), clock=lambda: 0)
    with open_session(path, clock=lambda: 0) as session:
        ingest(session, [str(folder)])
        edit = {"kind": "seen", "how": "edit", "path": "dates.py", "content": TREE["dates.py"].replace("30", "31")}
        run = {"kind": "tool", "name": "Bash", "outcome": "error", "result": FAILING}
        session.record([edit, run])
        assert not Knowing(session.recorded).facts.missing
    return path


def windows(record: str, python: str, environment: dict[str, str], grammars: str = "bare") -> str:
    """What the program prints there."""
    done = subprocess.run(
        [python, "-X", "utf8", "-c", PROGRAM, str(ROOT), record, json.dumps(LENSES), grammars],
        env={**clean_environment(), **environment},
        capture_output=True,
        text=True,
        encoding="utf-8",
    )
    assert done.returncode == 0, done.stderr[-3_000:]
    return done.stdout


def test_in_any_environment_and_without_grammars(record: str) -> None:
    told = {windows(record, sys.executable, {**each, **KERNELS[at % 2]}) for at, each in enumerate(ENVIRONMENTS)}
    told.add(windows(record, sys.executable, ENVIRONMENTS[0], "with grammars"))
    assert len(told) == 1, told


@pytest.mark.slow
def test_in_every_python(record: str) -> None:
    expected = windows(record, sys.executable, ENVIRONMENTS[0])
    tried = []
    for version, python in others():
        own = with_packages(python)
        if own is not None:
            tried.append(version)
            assert windows(record, own, ENVIRONMENTS[1]) == expected, version
    missing = sorted({version for version, _ in others()} - set(tried))
    if missing or not tried:
        pytest.skip(f"same in {tried}; {missing} could not be given what they need, so nothing is known of them")
