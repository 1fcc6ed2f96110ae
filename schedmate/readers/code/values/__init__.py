"""What followed code works on: values and where they came from, objects, names, and the run that holds them all."""
