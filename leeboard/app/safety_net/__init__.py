"""Work of a person that is in no commit: noted, copied, missed when it is gone, and put back."""
