"""The minds without a model: no network, milliseconds, testable alone."""
