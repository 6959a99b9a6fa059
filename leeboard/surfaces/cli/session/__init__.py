"""Commands about sessions, their findings and the rules that made them."""
