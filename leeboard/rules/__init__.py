"""One rule a file, active by being there: the docstring is its page, `RULE` its header, `detect` its function.

Rules do not know each other. What a rule is, is said in `leeboard.rule`; `make rule` writes a new one and its test.
"""
