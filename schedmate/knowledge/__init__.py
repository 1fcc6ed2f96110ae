"""Facts as data; adding one is one entry with one sample."""
