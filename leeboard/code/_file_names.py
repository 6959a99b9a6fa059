"""What tells a file's name from prose: endings, names without one, and words that only look like paths."""

from __future__ import annotations

EXTENSIONS = frozenset(
    """
    adoc arb asm astro avif awk bash bat bazel bib bicep bmp bzl c cc cfg cjs clj cljs cmake cmd coffee conf cpp cr
    crt cs
    csproj css csv cts cxx dart diff dockerfile edn ejs elm erb erl ex exs feature fish fs fsproj fsx gd gemspec gif
    go gql gradle graphql groovy h haml handlebars hbs hcl heex hpp hrl hs htm html hxx ico ini ipynb iml j2 java
    jinja
    jinja2 jl jpeg jpg js json json5 jsonc jsonl jsp jsx kt kts less lhs liquid lock lua m make mako markdown md mdx
    mjs
    mk ml mli mm mod mp3 mp4 mts mustache nim nix njk otf patch pdf php pl plist pm png po pot prisma properties
    proto ps1 pug py pyi pyx r rake rb rego rkt rmd rs rst sass sbt scala scm scss sh sln slim snap sol spec sql
    sqlite
    st styl sum sv svelte svg swift tcl tcss tex tf tfvars tmpl toml tpl ts tsv tsx ttf twig txt tsbuildinfo v vb
    vbproj
    vhd vim vue wasm wat webp woff woff2 wsdl xaml xcconfig xhtml xml xsd xsl yaml yml zig zsh
    """.split()
)

BARE_NAMES = frozenset(
    """
    Makefile GNUmakefile Dockerfile Containerfile Gemfile Rakefile Procfile Jenkinsfile Vagrantfile Podfile Pipfile
    Brewfile Justfile justfile Caddyfile Tiltfile CODEOWNERS
    .env .gitignore .gitattributes .dockerignore .npmrc .nvmrc .eslintrc .prettierrc .editorconfig .babelrc .npmignore
    .eslintignore .prettierignore .gitmodules .python-version .node-version .tool-versions .envrc .flake8 .pylintrc
    """.split()
)
"""Files that are told by their whole name."""

NOT_FILES = frozenset(
    """
    node.js next.js vue.js react.js three.js d3.js express.js nuxt.js ember.js backbone.js angular.js moment.js day.js
    chart.js alpine.js solid.js p5.js socket.io discord.js nest.js electron.js require.js underscore.js handlebars.js
    knockout.js meteor.js web3.js ethers.js pdf.js video.js redux.js passport.js gatsby.js preact.js svelte.js
    asp.net vb.net ado.net e.g i.e a.k.a u.s a.m p.m
    """.split()
)
"""Products and calls that look like file names, in lower case."""

DOMAIN_ENDINGS = frozenset(
    "com org net io dev ai co edu gov mil app me info biz uk de fr es it ru cn jp eu us in br nl se ch at pl be "
    "fm gg xyz "
    "cloud site tech online store blog page so to tv ly".split()
)

PROSE_PAIRS = frozenset(
    """
    and/or or/and either/or he/she she/he his/her him/her s/he her/his they/them client/server server/client
    input/output
    output/input tcp/ip ci/cd i/o read/write write/read on/off yes/no true/false pass/fail start/stop up/down n/a w/o
    w/
    a/b before/after old/new new/old left/right open/close open/closed enable/disable enabled/disabled show/hide
    add/remove add/delete create/update update/delete create/delete get/set set/get push/pull import/export in/out
    key/value name/value frontend/backend backend/frontend front/back producer/consumer publisher/subscriber pub/sub
    request/response req/res try/catch if/else try/except async/await login/logout signup/login login/signup
    login/register
    sign-in/sign-up master/slave parent/child min/max width/height day/night light/dark dark/light
    24/7 km/h m/s pros/cons plus/minus win/loss hit/miss success/failure success/error error/warning errors/warnings
    warn/error unit/integration dev/prod prod/dev staging/prod staging/production development/production
    mac/linux linux/mac windows/linux linux/windows unix/linux gnu/linux macos/linux linux/macos tls/ssl ssl/tls
    http/https https/http html/css css/html css/js js/ts ts/js javascript/typescript c/c++ os/2 pl/sql
    etc/e.g ui/ux ux/ui api/ui crud/rest rest/graphql json/yaml yaml/json sync/async async/sync
    singular/plural first/last and/but us/uk am/pm mr/pr pr/mr issue/pr user/admin admin/user users/admins
    """.split()
)
"""Two words and a slash that prose is full of, in lower case."""

MEDIA_KINDS = frozenset("application text image audio video multipart font".split())
"""First half of a media type such as `application/json`."""
