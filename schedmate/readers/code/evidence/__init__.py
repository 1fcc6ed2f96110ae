"""What following a program showed, arranged so that frameworks and fields can ask for it and propose values."""
