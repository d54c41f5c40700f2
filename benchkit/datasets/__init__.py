"""Datasets: the tables of many runs as Parquet, for every engine, and for benchkit itself."""
