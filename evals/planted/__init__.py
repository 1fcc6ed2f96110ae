"""Logs made by the project itself, with the first cause known: any number of them, the same for the same seed."""
