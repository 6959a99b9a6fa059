"""Gemfile, gemspec and lock."""

from __future__ import annotations

from leeboard.contracts.manifest.scripting import read_gemfile, read_gemfile_lock, read_gemspec


def test_gemfile() -> None:
    text = """source "https://host"
# gem "not"
gem "rails", "~> 7.1"
group :test do
  gem 'rspec-rails', '~> 6', require: false
  gem("capybara")
end
gem "own", path: "engines/own"
gem "own2", :path => "engines/own2"
gem_group = 1
"""
    assert [(one.name, one.version) for one in read_gemfile(text)] == [
        ("rails", "~> 7.1"),
        ("rspec-rails", "~> 6"),
        ("capybara", ""),
    ]


def test_gemspec() -> None:
    text = """Gem::Specification.new do |spec|
  spec.add_dependency "rack", ">= 2"
  spec.add_development_dependency("minitest")
  # spec.add_dependency "not"
end
"""
    assert [(one.name, one.version) for one in read_gemspec(text)] == [("rack", ">= 2"), ("minitest", "")]


def test_lock() -> None:
    text = """PATH
  remote: .
  specs:
    own (0.1.0)
      rack

GEM
  remote: https://host/
  specs:
    rack (3.0.9)
    rails (7.1.3)
      rack (>= 2.2)

PLATFORMS
  ruby

DEPENDENCIES
  rails (~> 7.1)
"""
    assert [(one.name, one.version) for one in read_gemfile_lock(text)] == [("rack", "3.0.9"), ("rails", "7.1.3")]
