"""What the jobs before tell: stored in SQLite, found again by similarity."""
