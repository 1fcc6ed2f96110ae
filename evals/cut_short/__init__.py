"""Small training programs that really run and are cut in the middle: what is left is known to whoever ran them."""
