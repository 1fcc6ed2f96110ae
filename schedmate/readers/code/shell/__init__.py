"""Shell commands and scripts, followed without a shell: variables, arguments, conditions, scripts that call scripts."""
