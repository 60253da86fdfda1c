"""The one way from a tool to its workspace, which is opened when the first of them is called."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from ccos_core.serve.mcp.offer import Call
    from ccos_core.session.context_settings import ContextSettings
    from ccos_core.session.live import Hearing, Live
    from ccos_core.session.live_scan import Scan

NOT_SCANNED = "The project is still being read in the background; call again later for more."
TOO_WIDE = (
    "{} contains a home folder, so its files weren't recorded: start the server in a project, or with --root DIR."
)
BEHIND = "{:,} recorded steps aren't computed yet; call again later."

BROKEN = "{}; answers end at step {:,}. See: ccos-tui verify"


class Door:
    """A workspace, and how this server was told to treat it."""

    def __init__(
        self,
        path: str,
        root: str,
        *,
        record_recalls: bool = False,
        hearing: Hearing | None = None,
        scripted: bool = False,
        principal: str = "",
        steers: bool = False,
        settings: ContextSettings | None = None,
    ) -> None:
        self.path = path
        self.root = root
        self.record_recalls = record_recalls
        """Whether windows that are handed out are recorded."""
        self.hearing = hearing
        self.scripted = scripted
        """Whether a script asks, and no model: it gets answers as a whole and nothing besides, and of a project it is
        known what it said, not what lies on the disk."""
        self.principal = principal or ("owner" if scripted else "agent")
        """Who asks: an agent sees what the owner's policy lets it see."""
        self.steers = steers
        """Whether the agent steers its own context, so that all it is handed is recorded."""
        self.settings = settings
        """What a settings file says of the toolset `context`."""
        self.search_broker = settings.search_broker() if settings is not None else None
        """The search engine that the settings name."""
        self.is_governed = settings is None
        """Whether the record has what of it answers depend on."""
        self.scan: Scan | None = None
        self._live: Live | None = None
        self._too_wide = False
        self._lost_told = ""

    @property
    def switched_off(self) -> frozenset[str]:
        """The brokers that the settings switch off."""
        return self.settings.switched_off if self.settings is not None else frozenset()

    def live(self) -> Live:
        """The workspace, open; anew where another file is in its place by now, or none."""
        if self._live is not None and self._live.is_elsewhere():
            self.close()
            self.begin()
        if self._live is None:
            from ccos_core.session.live import Live

            self._live = Live(self.path, self.root, self.scan, self.hearing)
            self._live.desk.principal = self.principal
        return self._live

    @property
    def opened(self) -> Live | None:
        """The same, if anybody has asked for it."""
        return self._live

    def begin(self, *, asked: bool = False) -> None:
        """Start looking through the project, unless nothing is to be recorded, or nobody has asked for so much."""
        from ccos_core.session.live_scan import begin, too_wide
        from ccos_core.session.settings import switched_off

        self._too_wide = not (asked or self.scripted) and too_wide(self.root)
        if not (self._too_wide or self.scripted or switched_off()):
            self.scan = begin(self.path, self.root)

    def close(self) -> None:
        """Leave it."""
        if self._live is not None:
            self._live.close()
            self._live = None
        elif self.scan is not None:
            self.scan.stop()

    def notes(self) -> list[str]:
        """What an answer has to say of what it doesn't know."""
        live = self.live()
        said = [] if live.is_scanned else [NOT_SCANNED]
        if (lost := self._news_of_lost()) is not None:
            said.append(f"{lost}; see: ccos-tui doctor")
        if self._too_wide:
            said.append(TOO_WIDE.format(self.root))
        if (broken := live.desk.broken) is not None:
            return [*said, BROKEN.format(broken.fact, live.step)]
        return [*said, BEHIND.format(live.behind)] if live.behind else said

    def _news_of_lost(self) -> str | None:
        """That events were lost, unless an answer has said so already."""
        from ccos_core.session.lost_events import lost_words

        lost = lost_words(self.path)
        if lost is None or lost[0] == self._lost_told:
            return None
        self._lost_told = lost[0]
        return self._lost_told


def heard(call: Call, words: str) -> Callable[[int, int], None]:
    """Whoever counts steps tells the host, and hears of it when the host has had enough."""

    def progress(done: int, total: int) -> None:
        call.progress(done, total, words)

    return progress
