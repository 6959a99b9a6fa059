"""Our own settings as text: read, checked, and laid over each other. Which files count in a project is in `app`."""
