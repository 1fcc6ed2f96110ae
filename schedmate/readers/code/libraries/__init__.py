"""Models of general libraries: what a call means, without ever importing them."""
