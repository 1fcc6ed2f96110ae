"""One job on one machine, run to its end by a process of its own, with nothing but the standard library."""
