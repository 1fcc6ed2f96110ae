"""Lines that hands who had not seen the reader wrote and classed, and what is fitted on them."""
