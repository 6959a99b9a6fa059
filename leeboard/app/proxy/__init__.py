"""The traffic of an agent, judged by the same application as its hooks: sessions, rulings, words for requests."""
