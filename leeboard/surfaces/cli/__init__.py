"""The command line: `main` lists the commands, each a module in `project`, `session`, `tree` or `flow`.

What lies beside those folders is shared by commands: the screen, who is a person, what was typed.
"""
