"""Job traces: read from the published formats, described, cut down, scaled up, or generated."""
