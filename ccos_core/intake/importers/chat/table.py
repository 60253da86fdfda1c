"""The chats there are: a new one is its file, and a line here."""

from __future__ import annotations

from ccos_core.intake.importers.chat import (
    aider,
    amp,
    antigravity,
    chatgpt,
    cline,
    continue_cli,
    copilot,
    cursor,
    cursor_db,
    droid,
    goose,
    grok,
    hermes,
    kimi,
    openhands,
    pi,
    specstory,
    vscode,
    windsurf,
)
from ccos_core.intake.importers.record import Format

CHATS: tuple[Format, ...] = (
    pi.FORMAT,
    droid.FORMAT,
    copilot.FORMAT,
    kimi.FORMAT,
    grok.FORMAT,
    antigravity.FORMAT,
    amp.FORMAT,
    continue_cli.FORMAT,
    hermes.FORMAT,
    windsurf.FORMAT,
    cline.FORMAT,
    cursor.FORMAT,
    cursor_db.FORMAT,
    vscode.FORMAT,
    openhands.FORMAT,
    specstory.FORMAT,
    aider.FORMAT,
    chatgpt.FORMAT,
    goose.FORMAT,
)
