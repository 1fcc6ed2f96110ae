"""How programs define their options, and what the command line makes of them."""
