"""Foreign values on their way into dangerous calls, followed inside one file.

`table_file.may_flow` tells whether a text is worth parsing, `flow.find_flows(tree)` what flows in it. A language is a
module and a table: `lowering/<language>.py` with `lower(tree) -> ir.Module`, and `leeboard/data/taint/<language>.toml`.
`table_file.LANGUAGES` has them.
"""
