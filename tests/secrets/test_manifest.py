from __future__ import annotations

from leeboard.secrets.manifest import by_manifest

VALUE = "kT9vq2ZxLpWm4Rt8Yb"
MANIFEST = f"apiVersion: v1\nkind: Secret\nmetadata:\n  name: app\ndata:\n  username: YWRtaW4=\n  thing: {VALUE}\ntype: Opaque\n"


def test_every_value_of_a_secret_counts() -> None:
    assert [(hit.name, hit.value) for hit in by_manifest(MANIFEST)] == [("thing", VALUE)]
    first = MANIFEST.replace("kind: Secret\n", "") + "kind: Secret\n"
    assert [hit.value for hit in by_manifest(first)] == [VALUE]


def test_other_manifests_do_not() -> None:
    assert not list(by_manifest(MANIFEST.replace("Secret", "ConfigMap")))
    assert not list(by_manifest(MANIFEST + "---\nkind: ConfigMap\ndata:\n  other: x\n"))[1:]
