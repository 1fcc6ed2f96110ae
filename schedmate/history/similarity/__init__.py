"""How alike two jobs are, field by field: a number that means something, and the fields that it comes from."""
