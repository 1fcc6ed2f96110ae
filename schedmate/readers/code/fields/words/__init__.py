"""What several fields ask: the command's names, the project's words, the algorithm of an agent."""
