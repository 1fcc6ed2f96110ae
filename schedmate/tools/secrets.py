"""Know what must never be read: files that hold secrets by their name. `masking` hides those that stand in others."""

from functools import lru_cache
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


@lru_cache(maxsize=8192)
def names_secret(path: str) -> bool:
    """Tell whether a path is that of a secret; what cannot be opened cannot leak."""
    parts = PurePosixPath(path).parts
    if any(part.lower() in SECRET_FOLDERS for part in parts):
        return True
    name = parts[-1] if parts else ""
    return bool(SECRET_NAMES.match(name)) and not HARMLESS_NAMES.match(name)
