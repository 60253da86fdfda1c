"""A headless Chromium, driven over a pipe: the DevTools protocol needs nothing but the browser.

`CCOS_BROWSER` names the program. Pictures go to the folder that `CCOS_PICTURES` names, if it names one.
"""

from __future__ import annotations

import base64
import json
import os
import select
import subprocess
import time
from pathlib import Path
from typing import Any

PROGRAM, PICTURES = "CCOS_BROWSER", "CCOS_PICTURES"
ANSWER_SECONDS = 60
FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-dev-shm-usage", "--hide-scrollbars",
    "--disable-background-networking", "--remote-debugging-pipe", "--allow-pre-commit-input",
)  # fmt: skip
KEY_CODES = {
    "ArrowDown": 40, "ArrowUp": 38, "ArrowLeft": 37, "ArrowRight": 39, "Home": 36, "End": 35, "PageDown": 34,
    "PageUp": 33, "Enter": 13, "Tab": 9, "Escape": 27, " ": 32,
}  # fmt: skip


class Browser:
    """One page of a browser."""

    def __init__(self, program: str, profile: Path) -> None:
        theirs_in, self._to = os.pipe()
        self._from, theirs_out = os.pipe()

        def wire() -> None:
            """Give the browser its ends of the pipes, as 3 and 4."""
            low_in, low_out = os.dup(theirs_in), os.dup(theirs_out)
            os.dup2(low_in, 3)
            os.dup2(low_out, 4)

        self._process = subprocess.Popen(
            [program, *FLAGS, f"--user-data-dir={profile}", "about:blank"],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            close_fds=False, preexec_fn=wire,
        )  # fmt: skip
        os.close(theirs_in)
        os.close(theirs_out)
        self._rest = b""
        self._number = 0
        self._session = ""
        self.events: list[dict[str, Any]] = []
        target = self._ask("Target.createTarget", url="about:blank")["targetId"]
        self._session = self._ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self._ask(f"{domain}.enable")

    def close(self) -> None:
        self._process.kill()
        self._process.wait()
        os.close(self._to)
        os.close(self._from)

    # -- the page -----------------------------------------------------------------------------------------------------

    def open(self, address: str, *, width: int = 1400, height: int = 900, scheme: str = "dark") -> None:
        """Open an address and wait until the report is unpacked."""
        self.events.clear()
        size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
        self._ask("Emulation.setDeviceMetricsOverride", **size)
        self._ask("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
        self._ask("Page.navigate", url="about:blank")
        self._ask("Page.navigate", url=address)
        self.wait("document.getElementById('report') && !document.getElementById('report').hidden")

    def value(self, expression: str) -> Any:
        """Evaluate an expression in the page."""
        answer = self._ask("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in answer, answer["exceptionDetails"]
        return answer["result"].get("value")

    def wait(self, expression: str) -> None:
        """Wait until an expression is true in the page."""
        until = time.monotonic() + ANSWER_SECONDS
        while not self.value(f"Boolean({expression})"):
            assert time.monotonic() < until, f"never true: {expression}"
            time.sleep(0.02)

    def press(self, *keys: str) -> None:
        """Press keys, each by its name in `KeyboardEvent.key`."""
        for key in keys:
            text = {"text": "\r" if key == "Enter" else key} if len(key) == 1 or key == "Enter" else {}
            code = KEY_CODES.get(key, ord(key.upper()) if len(key) == 1 and key.isalnum() else 0)
            event = {"key": key, "windowsVirtualKeyCode": code}
            self._ask("Input.dispatchKeyEvent", type="keyDown", **event, **text)
            self._ask("Input.dispatchKeyEvent", type="keyUp", **event)

    def click(self, selector: str, *, across: float = 0.5) -> None:
        """Click on an element, at a part of its width."""
        found = self.value(
            f"(() => {{ const at = document.querySelector({json.dumps(selector)});"
            " at.scrollIntoView({block: 'nearest'}); const box = at.getBoundingClientRect();"
            " return [box.x, box.y, box.width, box.height]; })()"
        )
        x, y = found[0] + found[2] * across, found[1] + found[3] / 2
        for kind in ("mousePressed", "mouseReleased"):
            self._ask("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def picture(self, name: str) -> None:
        """Keep a picture of the page, if somebody wants to see them."""
        folder = os.environ.get(PICTURES)
        if folder:
            png = base64.b64decode(self._ask("Page.captureScreenshot", format="png")["data"])
            Path(folder).mkdir(parents=True, exist_ok=True)
            (Path(folder) / f"{name}.png").write_bytes(png)

    def troubles(self) -> list[str]:
        """Return what the browser complained of, and every address it asked for that isn't a file."""
        self.value("1")
        found = []
        for event in self.events:
            given = event.get("params", {})
            if event["method"] == "Runtime.exceptionThrown":
                found.append(str(given["exceptionDetails"]))
            elif event["method"] in ("Log.entryAdded", "Runtime.consoleAPICalled", "Page.javascriptDialogOpening"):
                found.append(str(given))
            elif event["method"] == "Network.requestWillBeSent":
                address = given["request"]["url"]
                if not address.startswith(("file:", "about:")):
                    found.append(address)
        return found

    # -- the protocol -------------------------------------------------------------------------------------------------

    def _ask(self, method: str, **given: Any) -> Any:
        self._number += 1
        message = {"id": self._number, "method": method, "params": given}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._to, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._read()
            if answer.get("id") == self._number:
                assert "error" not in answer, f"{method}: {answer['error']}"
                return answer["result"]
            if "method" in answer:
                self.events.append(answer)

    def _read(self) -> dict[str, Any]:
        while b"\0" not in self._rest:
            ready, _, _ = select.select([self._from], [], [], ANSWER_SECONDS)
            assert ready, "the browser gave no answer"
            more = os.read(self._from, 1 << 20)
            assert more, "the browser ended"
            self._rest += more
        message, _, self._rest = self._rest.partition(b"\0")
        answer: dict[str, Any] = json.loads(message)
        return answer
