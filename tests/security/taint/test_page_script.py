from __future__ import annotations

import pytest

from leeboard.security.taint.page_script import script_flows

SINK = "box.innerHTML = location.hash.slice(1);"


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        (f"<p>\n<script>\n{SINK}\n</script>", [3]),
        (f"<script type='module'>{SINK}</script>\n<SCRIPT defer>\n{SINK}</SCRIPT>", [1, 3]),
        ("<script>const text = location.hash;</script>\n<script>box.innerHTML = text;</script>", [2]),
        (f"<script>\nconst user = {{{{ user|tojson }}}};\n{{% if user %}}\n{SINK}\n{{% endif %}}\n</script>", [4]),
        (f"<script type='application/json'>{SINK}</script>", []),
        (f"<!-- <script>{SINK}</script> -->", []),
        (f"<pre>{SINK}</pre><script src='a.js'></script>", []),
        ("<script>box.textContent = location.hash.slice(1);</script>", []),
        (f"<script>{SINK}", []),
        ("\n" * 400 + f"<script>{SINK}</script>", [401]),
    ],
)
def test_scripts_of_a_page_are_followed_where_they_stand(text: str, lines: list[int]) -> None:
    assert [flow.sink_line for flow in script_flows(text)] == lines
