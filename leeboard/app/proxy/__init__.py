"""The traffic of an agent, judged by the same application as its hooks: sessions, rulings, and what goes into requests."""
