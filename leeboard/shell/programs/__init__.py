"""What single programs do to files, by their options and operands; `table` says which reader knows which program."""
