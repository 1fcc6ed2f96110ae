"""The models that Lucid asks: how many jobs are about to come, and who leaves room for company."""
