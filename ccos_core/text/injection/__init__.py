"""A signal for instructions that stand where only data should: in comments, strings, prose and tool output.

It is a signal, not a shield: it ranks text for a person or a program to look at, and it misses attacks.
"""

from __future__ import annotations

from ccos_core.text.injection.signal import Flagged, Verdict, judge

__all__ = ["Flagged", "Verdict", "judge"]
