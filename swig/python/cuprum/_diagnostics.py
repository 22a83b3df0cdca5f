"""The diagnostics of compilers and linkers, one by one."""

from __future__ import annotations

from typing import NamedTuple

from cuprum import _cuprum

#: The names of the C ABI's severities, by number.
_SEVERITIES = ("note", "warning", "error")


class Diagnostic(NamedTuple):
    """One message of a compiler or a linker: an error, a warning or a remark.

    ``severity`` is ``"note"``, ``"warning"`` or ``"error"``. ``file`` is its name in the compile, ``line`` and
    ``column`` count from 1; they are empty and 0 if the log has none. ``code`` is the compiler's number for it,
    ``"177-D"``, which ``diag_suppress`` takes, or empty. ``text`` has several lines where the log has more details.
    """

    severity: str
    file: str
    line: int
    column: int
    code: str
    text: str


def parse_diagnostics(log: str) -> list[Diagnostic]:
    """The diagnostics in a log of NVRTC, ptxas or nvJitLink, in order."""
    found = []
    # A NUL ends a text in C.
    for i in range(_cuprum.cuprum_diagnostics_parse(log.replace("\0", " "))):
        severity, line, column, file, code, text = _cuprum.cuprum_diagnostic(i)
        found.append(Diagnostic(_SEVERITIES[severity], file, line, column, code, text))
    return found
