"""Findings to one verdict: which rules are asked, score, urgency, what waits, and the words for the agent.

It knows no single rule and no client.
"""
