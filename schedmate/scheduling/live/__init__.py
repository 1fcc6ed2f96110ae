"""The loop on a real machine: the process around it, the readers beside it, recovery, and what survives a kill."""
