"""Training logs of programs by a hand that did not know the reader: other programs, noise and looks than evals/training_logs has."""
