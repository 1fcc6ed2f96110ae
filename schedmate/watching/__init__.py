"""Follow every log that comes, and tell once of each that goes wrong; nothing is changed anywhere."""
