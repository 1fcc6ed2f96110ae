"""From a file's text to a module, and from an import to the module that it means."""
