"""Ruby: pairs of unsafe code and its fixed twin."""

from __future__ import annotations

import pytest

from leeboard.security.taint.flow import find_flows
from leeboard.security.taint.table import Kind
from leeboard.source.syntax import parse

PAIRS: tuple[tuple[str, Kind, bool, str, str], ...] = (
    (
        "condition built of params",
        "sql",
        True,
        """
    class UsersController < ApplicationController
      def show
        @user = User.where("name = '#{params[:name]}'").first
      end
    end
        """,
        """
    class UsersController < ApplicationController
      def show
        @user = User.where("name = ?", params[:name]).first
      end
    end
        """,
    ),
    (
        "command built of params",
        "command",
        True,
        """
    class ToolsController < ApplicationController
      def ping
        out = `ping -c 1 #{params[:host]}`
        render plain: out
      end
    end
        """,
        """
    class ToolsController < ApplicationController
      def ping
        out, _status = Open3.capture2("ping", "-c", "1", params[:host])
        render plain: out
      end
    end
        """,
    ),
    (
        "command in a plain method",
        "command",
        False,
        """
    def archive(name)
      system("tar czf out.tgz #{name}")
    end
        """,
        """
    def archive(name)
      system("tar", "czf", "out.tgz", name)
    end
        """,
    ),
    (
        "path",
        "path",
        True,
        """
    class FilesController < ApplicationController
      def show
        send_file("/srv/files/" + params[:name])
      end
    end
        """,
        """
    class FilesController < ApplicationController
      def show
        path = File.expand_path("/srv/files/" + params[:name])
        raise "bad path" unless path.start_with?("/srv/files/")
        send_file(path)
      end
    end
        """,
    ),
    (
        "code",
        "code",
        True,
        """
    post '/calc' do
      eval(params[:expression]).to_s
    end
        """,
        """
    post '/calc' do
      Integer(params[:expression]).to_s
    end
        """,
    ),
    (
        "deserialisation",
        "deserialise",
        True,
        """
    class StateController < ApplicationController
      def load
        data = Marshal.load(cookies[:state])
      end
    end
        """,
        """
    class StateController < ApplicationController
      def load
        data = JSON.parse(cookies[:state])
      end
    end
        """,
    ),
    (
        "redirect",
        "redirect",
        True,
        """
    class GoController < ApplicationController
      def go
        redirect_to params[:next]
      end
    end
        """,
        """
    class GoController < ApplicationController
      PAGES = %w[/home /profile].freeze
      def go
        target = PAGES.include?(params[:next]) ? params[:next] : "/home"
        redirect_to target
      end
    end
        """,
    ),
    (
        "html",
        "html",
        True,
        """
    class HelloController < ApplicationController
      def show
        render html: "<b>#{params[:name]}</b>".html_safe
      end
    end
        """,
        """
    class HelloController < ApplicationController
      def show
        render html: "<b>#{ERB::Util.html_escape(params[:name])}</b>".html_safe
      end
    end
        """,
    ),
    (
        "guarded by a pattern",
        "command",
        False,
        """
    def ping(host)
      system("ping -c 1 #{host}")
    end
        """,
        r"""
    def ping(host)
      return unless host =~ /\A[a-z0-9.]+\z/
      system("ping -c 1 #{host}")
    end
        """,
    ),
)
"""Name, kind, whether a request brings the value, the unsafe code, the fixed code."""


def _found(code: str) -> dict[Kind, float]:
    tree = parse(code.replace("\n    ", "\n"), "ruby")
    assert tree is not None
    found: dict[Kind, float] = {}
    for flow in find_flows(tree):
        found[flow.kind] = max(flow.confidence, found.get(flow.kind, 0.0))
    return found


@pytest.mark.parametrize(("kind", "from_request", "unsafe"), [pytest.param(*pair[1:4], id=pair[0]) for pair in PAIRS])
def test_unsafe_code_is_found(kind: Kind, *, from_request: bool, unsafe: str) -> None:
    found = _found(unsafe)
    assert kind in found
    assert found[kind] >= 0.55
    assert from_request or found[kind] <= 0.85


@pytest.mark.parametrize("fixed", [pytest.param(pair[4], id=pair[0]) for pair in PAIRS])
def test_its_fixed_twin_is_silent(fixed: str) -> None:
    assert {kind: sure for kind, sure in _found(fixed).items() if sure >= 0.5} == {}
