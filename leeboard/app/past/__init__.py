"""What past sessions knew: asked for by people and agents, from this machine's store and from a team's."""
