"""Installed programs that train by a configuration: what would be code elsewhere stands in a file and options."""
