"""The only place that knows vLLM, outlines and sentence-transformers."""
