"""pom.xml."""

from __future__ import annotations

from leeboard.contracts.manifest.compiled import read_pom


def test_dependencies_plugins_and_parent() -> None:
    text = """<?xml version="1.0"?>
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <parent><groupId>org.sf.boot</groupId><artifactId>starter-parent</artifactId><version>3.2</version></parent>
  <groupId>com.example</groupId><artifactId>app</artifactId><version>1.0</version>
  <dependencyManagement><dependencies>
    <dependency><groupId>bom.group</groupId><artifactId>bom</artifactId><version>1</version><type>pom</type></dependency>
  </dependencies></dependencyManagement>
  <dependencies>
    <!-- <dependency><groupId>no</groupId><artifactId>no</artifactId></dependency> -->
    <dependency>
      <exclusions><exclusion><groupId>ex</groupId><artifactId>cluded</artifactId></exclusion></exclusions>
      <groupId>com.google.guava</groupId>
      <artifactId>guava</artifactId>
      <version>${guava.version}</version>
    </dependency>
    <dependency><groupId>${project.groupId}</groupId><artifactId>core</artifactId></dependency>
  </dependencies>
  <build><plugins><plugin><artifactId>maven-jar-plugin</artifactId></plugin></plugins></build>
</project>"""
    assert {one.name: one.version for one in read_pom(text)} == {
        "org.sf.boot:starter-parent": "3.2",
        "bom.group:bom": "1",
        "com.google.guava:guava": "${guava.version}",
        "org.apache.maven.plugins:maven-jar-plugin": "",
    }


def test_a_parent_in_the_repository_is_none() -> None:
    text = """<project><parent><groupId>a</groupId><artifactId>b</artifactId><relativePath>../pom.xml</relativePath>
</parent></project>"""
    assert list(read_pom(text)) == []
