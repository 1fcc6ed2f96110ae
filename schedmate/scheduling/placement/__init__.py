"""How free GPUs are found, cut, shared, and made free."""
