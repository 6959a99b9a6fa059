"""Much work done side by side: in processes of this machine, or by a Dask cluster that is there already."""
