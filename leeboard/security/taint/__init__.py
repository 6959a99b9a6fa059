"""Foreign values on their way into dangerous calls, followed inside one file.

`find.find_flows(tree)` is the way in. A language is two modules: `lower_<language>.py` with `lower(tree) -> ir.Module`,
and `tables_<language>.py` with `TABLES`, a `table.Tables`. `language.LANGUAGES` names them.
"""
