"""Lines that leak: kinds of secrets, each spelt as environments, flags, files, addresses, headers and tracebacks do."""
