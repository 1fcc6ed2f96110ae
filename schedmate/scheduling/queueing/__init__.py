"""In which order jobs wait, and how a queue is walked."""
