"""Launchers: what starts the program, and how many processes, nodes and GPUs that gives it."""
