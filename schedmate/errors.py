"""One small tree of errors; each tells the user what to do next."""

import re
from typing import Literal

FailureReason = Literal["unreachable", "timeout", "busy", "refused", "truncated", "invalid"]
"""Why a model gave no usable answer: no server, no time, no room, a refusal, cut short, or not what was asked for."""


IN_URL = re.compile(r"(://)[^/\s?#]*@|([?&][\w.-]*(?:key|token|secret|passw|pwd|auth|sig)[\w.-]*=)[^&\s'\"#]+", re.I)
"""Who stands before the host of a URL, and what its query says to let one in."""


def without_passwords(text: str) -> str:
    """Show URLs without what lets one in; a setting may hold it, and whatever is said of that server names its URL."""
    return IN_URL.sub(lambda found: f"{found[1] or found[2]}***{'@' if found[1] else ''}", text)


class SchedMateError(Exception):
    """Carry a message for one red line and a hint that says what to do next."""

    def __init__(self, message: str, hint: str = "") -> None:
        self.message = without_passwords(message)
        self.hint = without_passwords(hint)
        super().__init__(self.message)


class InputError(SchedMateError):
    """Say that what the user named cannot be read: absent, empty, binary, of the wrong shape."""


class SettingsError(SchedMateError):
    """Say that a setting has a value that cannot be used, and where that value came from."""


class MissingExtra(SchedMateError):
    """Say that an optional part is not installed, and the one command that installs it."""

    def __init__(self, what: str, extra: str) -> None:
        super().__init__(f"{what} needs the extra '{extra}'", f"pip install 'schedmate[{extra}]'")
        self.extra = extra


class StoreError(SchedMateError):
    """Say that stored data cannot be read or written: locked, full, of a newer version."""


class ModelFailed(SchedMateError):
    """Say that a model gave no usable answer; the caller keeps the built-in answer and tells why."""

    def __init__(self, message: str, hint: str = "", *, reason: FailureReason) -> None:
        super().__init__(message, hint)
        self.reason = reason
