"""What Leeboard would have said over recorded sessions, and what a person thinks of it."""
