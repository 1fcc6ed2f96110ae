"""Tell people: on the console and in a file at once, by webhook and mail beside the loop.

A channel may be slow, refuse or hang: each has its time, none keeps the others waiting, and none is told a secret of
another. What they answer goes into the audit trail, so addresses that are secrets are left out of it.
"""

import json
import re
import time
from collections.abc import Callable
from pathlib import Path
from threading import Thread

from schedmate.history.live_rows import ActionRow
from schedmate.scheduling.recovery.message import message
from schedmate.scheduling.recovery.owner_rules import NotifyRules, PeopleRules, Rules
from schedmate.scheduling.recovery.steps import Case, SlowStep
from schedmate.tools.messages import MailServer, NotTold, password, post, send_mail
from schedmate.tools.plain_text import plain

ACCOUNT = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._-]{0,63}\Z")
"""One account: nothing that could become a second recipient, a header, or somebody elsewhere."""


class Notify(SlowStep):
    """Each channel that policy.toml names gets the same words; one that fails does not keep the others from them."""

    kind = "notify"

    def describe(self, row: ActionRow, case: Case) -> str:
        """Say who hears of it."""
        return f"tell the {row.target}: {row.reason}"

    def run(self, row: ActionRow, case: Case, rules: Rules) -> str:
        """Send it everywhere at once."""
        notify = rules.notify
        subject, body = message(case)
        letter = Letter(notify, row.target, case, subject, body, address_of(case.user, rules.people))
        sendings = [Sending(name, send, letter) for name, send in CHANNELS.items() if getattr(notify, name)]
        until_s = time.monotonic() + notify.limit_s
        for sending in sendings:
            sending.join(max(0.0, until_s - time.monotonic()))
        told = ["console", *(one.name for one in sendings if one.done)]
        late = f"no answer within {notify.limit_s:g} s"
        failed = [f"{one.name}: {one.wrong or late}" for one in sendings if one.name not in told]
        if failed:
            raise NotTold("; ".join(failed), "see [notify] in policy.toml")
        return f"sent by {', '.join(told)}"


class Letter:
    """What is to be said, and to whom."""

    def __init__(self, rules: NotifyRules, to: str, case: Case, subject: str, body: str, owner: str) -> None:
        self.owner = owner
        """The address of the job's owner; empty where there is none."""
        self.rules = rules
        self.to = to
        self.case = case
        self.subject = plain(subject)
        self.body = plain(body)


class Sending(Thread):
    """One channel at work; it ends with the process at the latest."""

    def __init__(self, name: str, send: Callable[[Letter], None], letter: Letter) -> None:
        super().__init__(name=name, daemon=True)
        self.send = send
        self.letter = letter
        self.done = False
        self.wrong = ""
        self.start()

    def run(self) -> None:
        """Send, and keep what went wrong."""
        try:
            self.send(self.letter)
            self.done = True
        except Exception as error:  # whatever a channel does wrong is its own affair
            words = (str(error).splitlines() or [""])[0]
            for secret in (self.letter.rules.webhook, password()):
                words = words.replace(secret, "...") if secret else words
            self.wrong = words[:200] or type(error).__name__


def to_file(letter: Letter) -> None:
    """Append one JSON line."""
    told = {"at_s": time.time(), "to": letter.to, "job": letter.case.job, "job_id": letter.case.job_id}
    line = json.dumps(told | {"subject": letter.subject, "body": letter.body})
    with Path(letter.rules.file).open("a") as file:
        file.write(line + "\n")


def to_webhook(letter: Letter) -> None:
    """Post JSON with a `text`, as chat services take it."""
    said = {"text": f"{letter.subject}\n{letter.body}", "job": letter.case.job, "job_id": letter.case.job_id}
    post(letter.rules.webhook, said, letter.rules.limit_s)


def to_mail(letter: Letter) -> None:
    """Send a mail: faults of the machine to the operators, others to the owner."""
    rules = letter.rules
    to = rules.operators if letter.to == "operators" and rules.operators else letter.owner
    server = MailServer(rules.smtp, rules.sender, rules.smtp_user)
    send_mail(server, to, f"schedmate: {letter.subject}", letter.body, rules.limit_s)


def address_of(account: str, people: PeopleRules) -> str:
    """Map an account to its address, as the site says; what is no account has none."""
    if account in people.mail:
        return people.mail[account]
    if not ACCOUNT.match(account):
        return ""
    return f"{account}@{people.mail_domain}" if people.mail_domain else account


CHANNELS = {"file": to_file, "webhook": to_webhook, "smtp": to_mail}
