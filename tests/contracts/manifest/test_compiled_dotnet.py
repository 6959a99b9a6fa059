"""Files of .NET."""

from __future__ import annotations

from leeboard.contracts.manifest.compiled import read_packages_config, read_packages_lock, read_project, read_tools


def test_project() -> None:
    text = """<Project Sdk="Microsoft.NET.Sdk">
  <PropertyGroup><TargetFramework>net8.0</TargetFramework></PropertyGroup>
  <ItemGroup Condition="'$(X)' > '1'">
    <PackageReference Include="Serilog" Version="3.1.1" />
    <PackageReference Include="Polly"><Version>8.0</Version></PackageReference>
    <PackageReference Update="Known" Version="2" />
    <ProjectReference Include="..\\Core\\Core.csproj" />
    <PackageVersion Include="A;B" Version="1" />
  </ItemGroup>
</Project>"""
    assert [(one.name, one.version) for one in read_project(text)] == [
        ("Serilog", "3.1.1"),
        ("Polly", "8.0"),
        ("A", "1"),
        ("B", "1"),
    ]


def test_config_lock_and_tools() -> None:
    assert [one.name for one in read_packages_config('<packages><package id="Moq" version="4" /></packages>')] == [
        "Moq"
    ]
    lock = """{"version": 1, "dependencies": {"net8.0": {
      "A": {"type": "Direct", "resolved": "1.0"}, "B": {"type": "Transitive"}, "own": {"type": "Project"}}}}"""
    assert [(one.name, one.version) for one in read_packages_lock(lock)] == [("A", "1.0"), ("B", "")]
    assert [one.name for one in read_tools('{"tools": {"dotnet-ef": {"version": "8"}}}')] == ["dotnet-ef"]
