"""Foreign values on their way into dangerous calls, followed inside one file.

`find.find_flows(tree)` is the way in. A language is a module and a table: `lowering/<language>.py` with
`lower(tree) -> ir.Module`, and `leeboard/data/taint/<language>.toml`, read by `table_file`. `find.LANGUAGES` has them.
"""
