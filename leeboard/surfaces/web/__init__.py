"""The page: what agents do, what waits, and where people decide. On this machine alone, for this user alone.

Pages are rendered here; the browser gets HTML, one style sheet and a few small modules, and nothing from elsewhere.
"""
