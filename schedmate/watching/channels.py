"""Where events are sent: a chat's webhook, any webhook, mail, a file. Each has a thread and its time."""

import json
import os
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue
from threading import Thread
from typing import Literal

from schedmate.errors import InputError
from schedmate.tools.masking import mask_text
from schedmate.tools.messages import ADDRESS, MailServer, post, send_mail
from schedmate.tools.plain_text import plain
from schedmate.watching.events import WatchEvent
from schedmate.watching.gathering import words

ROUTE = re.compile(r"(?:(?P<user>[^:=]{1,64}):)?(?P<kind>slack|webhook|mail|file)=(?P<to>.+)", re.S)

NEXT = re.compile(r",(?=(?:[^:=,]{1,64}:)?(?:slack|webhook|mail|file)=)")
"""Between two channels in one word; a comma elsewhere is an address's own."""
LIMIT_S = 20.0
Kind = Literal["slack", "webhook", "mail", "file"]


@dataclass(frozen=True)
class Channel:
    """One way to one address, for everybody's jobs or for one user's."""

    kind: str
    to: str
    user: str = ""

    @property
    def name(self) -> str:
        """Name it in the journal, without an address that may be a secret."""
        import hashlib

        return f"{self.user}:{self.kind}:{hashlib.sha256(self.to.encode()).hexdigest()[:12]}"

    def is_for(self, event: WatchEvent) -> bool:
        """Tell whether an event goes this way."""
        return not self.user or self.user == event.user


def read_channels(texts: Iterable[str]) -> tuple[Channel, ...]:
    """Understand what was asked for, each word one channel or several with commas between."""
    return tuple(read_channel(one) for text in texts for one in NEXT.split(text))


def read_channel(text: str) -> Channel:
    """Understand `slack=URL`, or `USER:mail=ADDRESS`."""
    match = ROUTE.fullmatch(text)
    if match is None:
        raise InputError(
            f"'{text.partition('=')[0]}' is no channel",
            "as in: --notify slack=URL, --notify mail=ops@example.org, --notify alice:webhook=URL, --notify file=PATH",
        )
    kind, to = match["kind"], match["to"]
    if kind in {"slack", "webhook"} and not to.startswith(("https://", "http://")):
        raise InputError(f"{kind}= needs an address that begins with https://", "see the chat's incoming webhooks")
    if kind == "mail" and not ADDRESS.match(to):
        raise InputError(f"mail={to} names no mailbox", "one address each: --notify mail=ops@example.org")
    return Channel(kind, to, match["user"] or "")


class Sender(Thread):
    """Sends what is handed over, one message after the other; tells of each whether it was taken."""

    def __init__(self, channel: Channel, mail: MailServer, heard: Callable[["Sent"], None]) -> None:
        super().__init__(daemon=True)
        self.channel = channel
        self.mail = mail
        self.heard = heard
        self.queue: SimpleQueue[tuple[WatchEvent, ...]] = SimpleQueue()
        self.handed = self.done = 0
        self.start()

    def hand_over(self, events: tuple[WatchEvent, ...]) -> None:
        """Have one message sent."""
        self.handed += 1
        self.queue.put(events)

    @property
    def has_work(self) -> bool:
        """Tell whether a message is not sent yet."""
        return self.done < self.handed

    def run(self) -> None:
        """Work until the process ends."""
        while events := self.queue.get():
            wrong = ""
            try:
                send(self.channel, events, self.mail)
            except Exception as error:  # whatever a channel does wrong is its own affair
                wrong = (str(error).splitlines() or [type(error).__name__])[0].replace(self.channel.to, "...")[:200]
            self.heard(Sent(self, events, wrong))
            self.done += 1


@dataclass(frozen=True)
class Sent:
    """What became of a message."""

    sender: Sender
    events: tuple[WatchEvent, ...]
    wrong: str


def send(channel: Channel, events: Sequence[WatchEvent], mail: MailServer) -> None:
    """Send one message; what quotes a log is masked, for it leaves the site."""
    subject, body = words(events)
    subject, body = mask_text(plain(subject)).replace("\n", " "), mask_text(plain(body))
    text = f"{subject}\n{body}"
    if channel.kind == "slack":
        post(channel.to, {"text": text}, LIMIT_S)
    elif channel.kind == "webhook":
        told = [{"id": one.id, "kind": one.kind, "log": one.log, "user": one.user, "at_s": one.at_s} for one in events]
        post(channel.to, {"text": text, "events": told}, LIMIT_S)
    elif channel.kind == "mail":
        send_mail(mail, channel.to, f"schedmate: {subject[:160]}", text, LIMIT_S)
    else:
        line = json.dumps({"text": text, "ids": [one.id for one in events]}).encode() + b"\n"
        handle = os.open(Path(channel.to), os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)
        try:
            os.write(handle, line)
        finally:
            os.close(handle)
