"""One file a group of fields: what the followed program shows of it, with the places that say so, or nothing."""
