"""What a person has let act in a repository, kept in their state directory.

What there is to trust is found by `app/actors`.
"""
