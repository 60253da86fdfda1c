"""The file a host's hook runs: `PYTHON -I -S .../hook_door.py`. It finds the installation it lies in, and goes in.

Without `site` an interpreter starts in two thirds of its time, and knows no packages; they are where this file is, or
in the folder beside the interpreter, or where `site` finds them after all.
"""

import gc
import os
import sys

_ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
_BESIDE = os.path.dirname(os.path.dirname(sys.executable))
_VERSION = f"python{sys.version_info[0]}.{sys.version_info[1]}"
_PACKAGES = ("Lib",) if os.name == "nt" else ("lib", _VERSION)
sys.path += [_ROOT, os.path.join(_BESIDE, *_PACKAGES, "site-packages")]

if __name__ == "__main__":
    gc.disable()  # nothing lives long enough to be collected
    try:
        try:
            from ccos_core.serve.hook import main
        except ImportError:
            import site

            site.main()
            from ccos_core.serve.hook import main
        main(sys.argv[1:])
    except BaseException:
        os._exit(0)
