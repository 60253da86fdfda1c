"""What is watched: up to eight nodes, in the order in which they were taken up."""

from __future__ import annotations

from dataclasses import dataclass

MOST = 8
"""Nodes that can be watched at once."""


@dataclass(frozen=True, slots=True)
class Watched:
    """One of them."""

    number: int
    """Given once, so that its answers find it whatever else comes and goes."""

    node: str
    at: int
    """The step at which it was called so; a renamed source is the same one under all its names."""


class Watches:
    """The list of them."""

    def __init__(self) -> None:
        self.each: tuple[Watched, ...] = ()
        self._number = 0

    def __contains__(self, node: str) -> bool:
        return any(watched.node == node for watched in self.each)

    @property
    def full(self) -> bool:
        """Whether there is room for no more."""
        return len(self.each) >= MOST

    def watch(self, node: str, at: int) -> bool:
        """Take a node up; gives whether it is watched now."""
        if node not in self:
            if self.full:
                return False
            self._number += 1
            self.each = (*self.each, Watched(self._number, node, at))
        return True

    def leave(self, node: str) -> None:
        """Watch it no more."""
        self.each = tuple(watched for watched in self.each if watched.node != node)
