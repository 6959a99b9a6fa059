"""A shell line, understood without running it: `understand` gives what it reads, changes and starts.

Which files it reaches without naming them is in `reach`; what each program does is in `programs`.
"""
