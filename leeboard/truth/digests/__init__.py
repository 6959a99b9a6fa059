"""The digests of many files, as they are now: nothing is hashed again that can not have changed."""
