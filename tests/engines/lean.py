"""What the readers of logs and code need, and no more: docs/install.md and `make test-install` share this list."""

LEAN = ("google-re2", "hyperscan", "pydantic", "pyyaml", "rich", "typer")
