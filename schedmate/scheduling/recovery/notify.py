"""Tell people: on the console and in a file at once, by webhook and mail beside the loop."""

import json
import smtplib
import time
from email.message import EmailMessage
from pathlib import Path

from schedmate.errors import SchedMateError
from schedmate.history.live_rows import ActionRow
from schedmate.scheduling.recovery.message import message
from schedmate.scheduling.recovery.rules import NotifyRules
from schedmate.scheduling.recovery.steps import Case, Ground, Plain

LIMIT_S = 20.0


class NotTold(SchedMateError):
    """Say that a message could not be delivered."""


class Notify(Plain):
    """Each channel that policy.toml names gets the same words; one that fails does not keep the others from them."""

    kind = "notify"
    slow = True

    def describe(self, row: ActionRow, case: Case) -> str:
        """Say who hears of it."""
        return f"tell the {row.target}: {row.reason}"

    def run(self, row: ActionRow, case: Case, ground: Ground) -> str:
        """Send it everywhere."""
        rules = ground.rules.notify
        subject, body = message(case)
        told, failed = ["console"], []
        for name, channel in (("file", to_file), ("webhook", to_webhook), ("smtp", to_mail)):
            if not getattr(rules, name):
                continue
            try:
                channel(rules, row, case, subject, body)
                told.append(name)
            except Exception as error:  # whatever a channel does wrong is its own affair
                failed.append(f"{name}: {str(error).splitlines()[0]}" if str(error) else name)
        if failed:
            raise NotTold("; ".join(failed), "see [notify] in policy.toml")
        return f"told by {', '.join(told)}"


def to_file(rules: NotifyRules, row: ActionRow, case: Case, subject: str, body: str) -> None:
    """Append one JSON line."""
    line = {"at_s": time.time(), "to": row.target, "job": case.job, "subject": subject, "body": body}
    with Path(rules.file).open("a") as file:
        file.write(json.dumps(line) + "\n")


def to_webhook(rules: NotifyRules, row: ActionRow, case: Case, subject: str, body: str) -> None:
    """Post JSON with a `text`, as chat services take it."""
    import httpx

    answer = httpx.post(rules.webhook, json={"text": f"{subject}\n{body}", "job": case.job}, timeout=LIMIT_S)
    answer.raise_for_status()


def to_mail(rules: NotifyRules, row: ActionRow, case: Case, subject: str, body: str) -> None:
    """Send a mail: faults of the machine to the operators, others to the owner."""
    mail = EmailMessage()
    mail["Subject"], mail["From"] = f"schedmate: {subject}", rules.sender
    mail["To"] = rules.operators if row.target == "operators" and rules.operators else case.user
    mail.set_content(body)
    host, _, port = rules.smtp.partition(":")
    with smtplib.SMTP(host, int(port or 25), timeout=LIMIT_S) as server:
        server.send_message(mail)
