"""Helper processes that read for whoever may not wait: the loop, a watch, a batch."""
