"""Exceptions of the package."""

from __future__ import annotations

from typing import Any, List


class Error(RuntimeError):
    """All exceptions of the package are of this type."""


class InputError(Error, ValueError):
    """An input is wrong. `problems` has all that is wrong with it: file, line, column, message, hint."""

    problems: List[Any] = []


class SolverError(Error):
    """A run has no trustworthy answer and ended early."""


class FileError(Error, OSError):
    """A file cannot be read or written, or is of another program."""


class UsageError(Error):
    """A hall was used in a way that it is not made for."""
