"""What ties an action to the work: named, bounded facts from ledger, registry and contract, and what each weighs.

`sketch` keeps the names that texts hold, `work` looks back over them, `fact` makes the facts, `weight` has what the
fit made of them, `doubt` adds up a run of actions.
"""
