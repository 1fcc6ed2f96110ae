"""Configuration files with their includes, merges and interpolations, each value knowing its line."""
