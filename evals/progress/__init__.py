"""What the eval of training metrics is made of: invented logs, noise, scoring."""
