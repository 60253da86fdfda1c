"""What is worked out when somebody asks for it first, and known from then on.

`functools.cached_property` does the same, and up to Python 3.11 guards each of them by a lock of its own, which takes
longer than to work out most of what is asked here, of which there are hundreds to an answer. Two threads at once would
both find the same.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar, overload

Value = TypeVar("Value")


class once(Generic[Value]):  # noqa: N801  # it is written as what it does
    """A property that is worked out once for each object, and then lies in the object itself."""

    def __init__(self, find: Callable[[Any], Value]) -> None:
        self._find = find
        self.__doc__ = find.__doc__

    def __set_name__(self, kind: type, name: str) -> None:
        self._name = name

    @overload
    def __get__(self, asked: None, kind: type) -> once[Value]: ...
    @overload
    def __get__(self, asked: object, kind: type) -> Value: ...

    def __get__(self, asked: object | None, kind: type) -> once[Value] | Value:
        if asked is None:
            return self
        found = asked.__dict__[self._name] = self._find(asked)
        return found
