"""What a session, a tree and a plan look like to a person, assembled once for every surface."""
