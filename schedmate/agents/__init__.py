"""The minds with a model: each file holds its answer schema and what it asks; the words stand in prompts/."""
