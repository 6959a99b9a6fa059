# Leeboard for `check` and `scan` in a container, where no state of your sessions is:
#     docker build -t leeboard . && docker run --rm -v "$PWD:/work" leeboard check
# Hooks are installed on the machine where the agent runs, never from here.

FROM python:3.13-slim AS build
WORKDIR /source
COPY . .
RUN pip wheel --no-cache-dir --no-deps --wheel-dir /wheels .

FROM python:3.13-slim
RUN apt-get update && apt-get install --yes --no-install-recommends git && rm -rf /var/lib/apt/lists/*
COPY --from=build /wheels /wheels
RUN pip install --no-cache-dir --only-binary :all: /wheels/*.whl && rm -rf /wheels
RUN useradd --create-home leeboard && git config --system --add safe.directory /work
USER leeboard
WORKDIR /work
ENTRYPOINT ["leeboard"]
CMD ["--help"]
