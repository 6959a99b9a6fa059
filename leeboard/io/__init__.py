"""Clock, places, files, locks, processes and git: one way each to touch the world.

Nothing here judges. What belongs to one room alone, such as a plan's files, is in that room's own part.
"""
