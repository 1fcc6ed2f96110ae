"""The scheduling loop, its policies, and the parts that are plugged into them."""
