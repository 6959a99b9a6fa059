"""What a session amounts to, and findings in the formats of others: SARIF, JUnit, annotations of a build.

How it looks on a screen is in `surfaces/cli`; the drift report of a work tree is made in `contracts`.
"""
