"""The three kinds of embedder, a file each; `schedmate.models.embeddings` opens the one that is set."""
