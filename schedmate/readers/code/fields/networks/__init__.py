"""Which network is trained: its name, its type, its size."""
