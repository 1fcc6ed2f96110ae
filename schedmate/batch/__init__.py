"""Reading many logs: a row each in one Parquet file, written as it goes, gone on with after a kill."""
