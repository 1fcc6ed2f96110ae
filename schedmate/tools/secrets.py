"""Know what must never be read or sent: files that hold secrets by their name, and keys that stand in other files."""

from pathlib import PurePosixPath

import re2

SECRET_NAMES = re2.compile(
    r"(?i)^(\.env(\..*)?|.*\.env|\.netrc|_netrc|\.npmrc|\.pypirc|\.htpasswd|\.pgpass|\.git-credentials|\.dockercfg"
    r"|\.boto|\.s3cfg|\.my\.cnf|id_(rsa|dsa|ecdsa|ed25519)(\..*)?|.*\.(pem|key|p12|pfx|jks|keystore|kdbx|ppk|asc|gpg)"
    r"|(aws|gcp|google|hf|wandb|github|api|access|auth)?[-_.]?(credentials?|secrets?|tokens?|api[-_]?keys?)"
    r"(\.(json|ya?ml|toml|txt|ini|cfg|conf))?|(client_secret|service[-_]?account)[-_.\w]*\.json)$"
)
HARMLESS_NAMES = re2.compile(r"(?i)^(\.env\.(example|sample|template|dist)|tokens?\.(json|ya?ml|toml))$")
SECRET_FOLDERS = frozenset({".git", ".ssh", ".aws", ".gnupg", ".kube", ".azure", ".gcloud", ".docker", ".hg", ".svn"})

KEYS = re2.compile(
    r"(hf_[A-Za-z0-9]{24,}|\bsk-[A-Za-z0-9_\-]{20,}|gh[pousr]_[A-Za-z0-9]{30,}|github_pat_[A-Za-z0-9_]{30,}"
    r"|glpat-[A-Za-z0-9_\-]{20,}|A(?:KIA|SIA)[A-Z0-9]{16}|AIza[A-Za-z0-9_\-]{35}|xox[abprs]-[A-Za-z0-9\-]{10,}"
    r"|eyJ[A-Za-z0-9_\-]{16,}\.[A-Za-z0-9_\-]{16,}\.[A-Za-z0-9_\-]{10,})"
)
ASSIGNED = re2.compile(
    r"""(?i)((?:api[_-]?key|access[_-]?key|secret[_-]?key|client[_-]?secret|auth[_-]?token|access[_-]?token|hf[_-]?token"""
    r"""|password|passwd)["']?\s*[:=]\s*["']?)([A-Za-z0-9_\-+/=.]{12,})"""
)
PRIVATE_KEY = re2.compile(r"(?s)-----BEGIN [A-Z ]*PRIVATE KEY-----.*?(-----END [A-Z ]*PRIVATE KEY-----|\z)")
LITERAL = re2.compile(r"[0-9]")

MASK = "[secret]"


def names_secret(path: str) -> bool:
    """Tell whether a path is that of a secret; what cannot be opened cannot leak."""
    parts = PurePosixPath(path).parts
    if any(part.lower() in SECRET_FOLDERS for part in parts):
        return True
    name = parts[-1] if parts else ""
    return bool(SECRET_NAMES.match(name)) and not HARMLESS_NAMES.match(name)


def mask_secrets(text: str) -> str:
    """Mask keys, tokens and passwords, keeping the number of lines, so that places still hold."""
    if "PRIVATE KEY-----" in text:
        text = str(PRIVATE_KEY.sub(lambda match: MASK + "\n" * match.group(0).count("\n"), text))
    text = str(KEYS.sub(MASK, text))
    return str(ASSIGNED.sub(mask_assigned, text))


def mask_assigned(match: "re2._Match[str]") -> str:
    """Mask an assigned value that looks random; `password = get_password_from_vault` is code, not a secret."""
    name, value = str(match.group(1)), str(match.group(2))
    return name + MASK if LITERAL.search(value) else name + value
