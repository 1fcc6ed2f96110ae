"""Kubernetes, read with the caller's own rights: pods, their events and logs, the nodes that they are on."""
