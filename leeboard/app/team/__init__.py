"""A team's database: what is copied there, in the background."""
