"""Post JSON and send mail, each within its time; what goes wrong is said without the address, which may be secret."""

import re
import smtplib
from collections.abc import Mapping
from dataclasses import dataclass
from email.message import EmailMessage

from schedmate.errors import SchedMateError

ADDRESS = re.compile(r"[A-Za-z0-9][A-Za-z0-9._+-]{0,63}(?:@[A-Za-z0-9][A-Za-z0-9.-]{0,252})?\Z")
"""One mailbox: a user's name is whatever he says it is, and must not become a second recipient or a header."""


class NotTold(SchedMateError):
    """Say that a message could not be delivered."""


@dataclass(frozen=True)
class MailServer:
    """Who takes mail."""

    host: str = ""
    """host or host:port"""
    sender: str = "schedmate@localhost"
    user: str = ""
    """to log in with, over TLS; the password is the setting smtp_password"""


def post(url: str, said: Mapping[str, object], limit_s: float) -> None:
    """Post JSON; chat services take one that has a `text`."""
    import httpx

    try:
        answer = httpx.post(url, json=said, timeout=limit_s)
    except httpx.TimeoutException:
        raise
    except Exception as error:  # its words may quote the address, which is a secret
        raise NotTold(f"not reached ({type(error).__name__})", "is the address right, and the service up?") from None
    if not answer.is_success:
        raise NotTold(f"answered {answer.status_code}", "is the address right?")


def send_mail(server: MailServer, to: str, subject: str, body: str, limit_s: float) -> None:
    """Send one mail to one mailbox."""
    if not ADDRESS.match(to):
        raise NotTold("the recipient is no address", "one mailbox, as in ops@example.org")
    if not server.host:
        raise NotTold("no mail server is named", "smtp in [notify] of policy.toml")
    mail = EmailMessage()
    mail["Subject"], mail["From"], mail["To"] = subject, server.sender, to
    mail.set_content(body)
    host, _, port = server.host.partition(":")
    with smtplib.SMTP(host, int(port or 25), timeout=limit_s) as smtp:
        if server.user:
            import ssl

            smtp.starttls(context=ssl.create_default_context())
            smtp.login(server.user, password())
        smtp.send_message(mail)


def password() -> str:
    """Read the mail server's password, which stands in no file that others read."""
    from schedmate.settings import get_settings

    return get_settings().smtp_password.get_secret_value()
