"""What `init` puts into the files of a project and of its user, and how it is taken out again."""
