"""The least app there is: what it takes until its word is to be seen, everybody pays who uses Textual."""

from textual.app import App, ComposeResult
from textual.widgets import Static

SAYS = "there it is"


class Empty(App[None]):
    """One word."""

    def compose(self) -> ComposeResult:
        yield Static(SAYS)


if __name__ == "__main__":
    Empty().run()
