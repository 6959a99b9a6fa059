"""Shipped for authors of rules: scenarios in short lines, and what plays them through the real pipeline."""
