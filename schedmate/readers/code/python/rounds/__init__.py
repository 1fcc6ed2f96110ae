"""How often a loop runs, as far as its head and body tell."""
