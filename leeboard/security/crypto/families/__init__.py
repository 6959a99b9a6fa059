"""The families of weak cryptography, each with what shows it; `find` one level up asks them all."""
