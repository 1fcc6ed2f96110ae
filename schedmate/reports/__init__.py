"""What a site's records tell: what failed and cost what, which nodes, who waited, what might have been."""
