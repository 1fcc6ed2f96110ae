"""What an assistant may ask over the Model Context Protocol: it reads what it was allowed to, and changes nothing."""
