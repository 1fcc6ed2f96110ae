"""By which optimizer, at what learning rate."""
