"""What people and agents say: goal, scope, limits and orders of a person; plans and decisions of an agent.

No model and no network. Words that mean nothing yet are in `text`.
"""
