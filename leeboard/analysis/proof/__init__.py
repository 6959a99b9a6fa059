"""What ran in a session and how it went, and what an agent claims, held against it."""
