"""What the built-in embedder is made of: the texts the project writes itself, and the training on them."""
