"""What Python's own functions and methods give for values that are known."""
