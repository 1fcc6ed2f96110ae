"""Pages to look at, an API to ask, figures for monitoring: over HTTP, on what the store and the verbs know."""
