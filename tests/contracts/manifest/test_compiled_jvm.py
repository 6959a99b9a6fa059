"""Gradle's files."""

from __future__ import annotations

from leeboard.contracts.manifest.compiled import read_build, read_catalog, read_gradle_lock


def test_groovy() -> None:
    text = """plugins {
    id 'java'
    id 'org.springframework.boot' version '3.2.0'
}
repositories { mavenCentral() }
dependencies {
    // implementation 'no:no:1'
    implementation 'com.google.guava:guava:33.0-jre'
    testImplementation("org.junit.jupiter:junit-jupiter:5.10.0") { transitive = false }
    compileOnly group: 'org.projectlombok', name: 'lombok', version: '1.18.30'
    implementation platform('io.micronaut:micronaut-bom:4')
    implementation project(':core')
    implementation libs.foo.bar
}
include 'api:core:impl'
tasks.named("a:b") { dependsOn("core:build") }
println "time: now:x"
"""
    assert [(one.ecosystem, one.name, one.version) for one in read_build(text)][:5] == [
        ("gradle", "org.springframework.boot", "3.2.0"),
        ("maven", "com.google.guava:guava", "33.0-jre"),
        ("maven", "org.junit.jupiter:junit-jupiter", "5.10.0"),
        ("maven", "org.projectlombok:lombok", "1.18.30"),
        ("maven", "io.micronaut:micronaut-bom", "4"),
    ]
    assert len(list(read_build(text))) == 5
    assert [one.name for one in read_build("dependencies { implementation 'junit:junit:4.13' }")] == ["junit:junit"]


def test_kotlin() -> None:
    text = """plugins {
    kotlin("jvm") version "1.9.22"
    id("com.android.application")
}
dependencies {
    implementation("io.ktor:ktor-server-core:$ktor")
    api(platform("org.x:bom:1"))
    kapt("com.y:compiler")
}
"""
    assert [one.name for one in read_build(text)] == [
        "org.jetbrains.kotlin.jvm",
        "com.android.application",
        "io.ktor:ktor-server-core",
        "org.x:bom",
        "com.y:compiler",
    ]


def test_catalog() -> None:
    text = """[versions]
ktor = "2.3"
[libraries]
one = { module = "io.ktor:ktor-core", version.ref = "ktor" }
two = { group = "a.b", name = "c", version = "1" }
three = "d.e:f:2.0"
[bundles]
all = ["one"]
[plugins]
android = { id = "com.android.app", version = "8" }
"""
    assert [(one.ecosystem, one.name, one.version) for one in read_catalog(text)] == [
        ("maven", "io.ktor:ktor-core", "ktor"),
        ("maven", "a.b:c", "1"),
        ("maven", "d.e:f", "2.0"),
        ("gradle", "com.android.app", "8"),
    ]


def test_lock() -> None:
    text = "# header\ncom.a:b:1.0=compileClasspath,runtimeClasspath\nempty=annotationProcessor\n"
    assert [(one.name, one.version) for one in read_gradle_lock(text)] == [("com.a:b", "1.0")]
