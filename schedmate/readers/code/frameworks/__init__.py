"""Frameworks, one a file: what it hooks, its defaults, its launcher, where its training loop begins."""
