"""On which data."""
