"""What speaks against a refusal where a foreign value reaches a sink.

A flow is refused only where no doubt is found; with one it is queued or logged, and the finding says which it was.
`flow_doubt` has the table of doubts, `at_sink` asks for them one after the other. The rest finds signs of a check:
`before_handler` in front of the handler, `checks_in_path` on the value's way through this file (`value_names` tells by
which names it goes there), `unread_check` where what a check means is written in another file; `answer` knows answers
that are no page.
"""
