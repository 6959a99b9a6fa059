"""What people of a project have decided about findings, in files that are committed and reviewed like code."""

ALLOWED = "leeboard-allowed.json"
BASELINE = "leeboard-baseline.json"
