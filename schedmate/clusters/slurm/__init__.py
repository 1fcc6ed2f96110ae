"""Slurm as a cluster: its commands are asked, what they print becomes records, what has changed becomes events."""
