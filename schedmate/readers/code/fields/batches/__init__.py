"""How many samples a device and a step see."""
