"""What is done with what a client told: the one application that every surface drives."""
