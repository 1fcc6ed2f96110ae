"""How many parameters a network has, counted layer by layer from the objects that following the code made."""
