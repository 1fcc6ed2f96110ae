"""How long it trains: epochs and steps."""
