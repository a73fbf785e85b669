# Two stages: the first has pip and the build backend, the second only Python, the pinned packages and the service.
FROM python:3.13-slim-trixie AS build

ENV PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_CACHE_DIR=1 PIP_ROOT_USER_ACTION=ignore
WORKDIR /build

# The locked packages change seldom, so they have a layer of their own. The environment gets no pip.
ARG LOCK=requirements.lock
COPY $LOCK requirements-build.lock ./
RUN python -m venv --without-pip /opt/blockwalk \
 && python -m venv /opt/backend \
 && python -m pip --python /opt/blockwalk/bin/python install --only-binary :all: --require-hashes -r $LOCK \
 && /opt/backend/bin/pip install --require-hashes -r requirements-build.lock \
 && find /opt/blockwalk/lib -type d -name tests \( -path '*/numpy/*' -o -path '*/scipy/*' \) -prune -exec rm -rf {} +

COPY pyproject.toml README.md LICENSE ./
COPY service service
COPY clients clients
RUN /opt/backend/bin/pip wheel --no-deps --no-build-isolation --wheel-dir dist . \
 && python -m pip --python /opt/blockwalk/bin/python install --no-deps dist/*.whl


FROM python:3.13-slim-trixie

ARG VERSION=0.1.0
ARG REVISION=unknown
LABEL org.opencontainers.image.title="Blockwalk" \
      org.opencontainers.image.description="Walks through a Transformer block and answers with every intermediate value" \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.version="$VERSION" \
      org.opencontainers.image.revision="$REVISION"

# One BLAS thread a request: parallel requests use the cores, and a trace does not depend on their number.
# The workers' heartbeat files and counts lie in memory, so that a slow or read-only disk stops nobody.
# A container's only address is one that others reach, hence public.
ENV PATH=/opt/blockwalk/bin:$PATH \
    OPENBLAS_NUM_THREADS=1 \
    PYTHONDONTWRITEBYTECODE=1 \
    PYTHONUNBUFFERED=1 \
    BLOCKWALK_MEMORY_DIRECTORY=/dev/shm \
    BLOCKWALK_LOG_FORMAT=json \
    BLOCKWALK_HOST=0.0.0.0 \
    BLOCKWALK_PUBLIC=true \
    BLOCKWALK_PORT=8000

RUN groupadd --system --gid 10001 blockwalk \
 && useradd --system --uid 10001 --gid 10001 --no-create-home --home-dir /nonexistent --shell /usr/sbin/nologin blockwalk
COPY --from=build /opt/blockwalk /opt/blockwalk

USER 10001:10001
WORKDIR /
EXPOSE 8000 9102
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=15s --retries=3 \
  CMD ["python", "-c", "import os, urllib.request; urllib.request.urlopen(f'http://127.0.0.1:{os.environ[\"BLOCKWALK_PORT\"]}/health/live', timeout=2)"]
ENTRYPOINT ["blockwalk"]
CMD ["serve"]
