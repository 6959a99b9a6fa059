"""mix.exs and mix.lock."""

from __future__ import annotations

from leeboard.contracts.manifest.scripting import read_mix, read_mix_lock


def test_manifest() -> None:
    text = """defmodule App.MixProject do
  def project, do: [app: :app, version: "0.1.0", deps: deps()]
  defp deps do
    [
      {:phoenix, "~> 1.7"},
      # {:not, "~> 1.0"},
      {:ecto_sql,
       ">= 3.0.0", only: :test},
      {:tool, github: "x/tool"},
      {:own, "0.1.0", in_umbrella: true},
      {:near, path: "../near"}
    ]
  end
  def f, do: {:error, "text"}
end
"""
    assert [(one.name, one.version) for one in read_mix(text)] == [
        ("phoenix", "~> 1.7"),
        ("ecto_sql", ">= 3.0.0"),
        ("tool", ""),
    ]


def test_lock() -> None:
    text = """%{
  "jason": {:hex, :jason, "1.4.1", "00", [:mix], [{:decimal, "~> 1.0 or ~> 2.0", [hex: :decimal]}], "hexpm", "00"},
  "tool": {:git, "https://host/x/tool.git", "abcdef", []},
}
"""
    assert [(one.name, one.version) for one in read_mix_lock(text)] == [("jason", "1.4.1"), ("tool", "abcdef")]
