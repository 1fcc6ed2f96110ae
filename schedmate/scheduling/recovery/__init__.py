"""What is done about a failure on a real cluster: a plan, its steps one a file, their life, and what rules allow."""
