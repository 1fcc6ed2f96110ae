"""Models without weights: a real HTTP server behind which a player answers, from the labels or against them."""
