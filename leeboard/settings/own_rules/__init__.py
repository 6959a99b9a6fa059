"""Rules that the people of a project wrote themselves: their files read, and code and commands held against them."""
