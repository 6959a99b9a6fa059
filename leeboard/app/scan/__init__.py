"""Files looked at by the rules that judge a text by itself, and what people have decided about what is found."""
