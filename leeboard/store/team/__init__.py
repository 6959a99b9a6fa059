"""What a team shares: the outbox in the local database, and the PostgreSQL database that it is copied into."""
