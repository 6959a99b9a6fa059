"""Commands about the guard of a project as a whole: put it in, look after it, take it out."""
