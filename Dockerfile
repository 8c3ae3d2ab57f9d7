# Two images, two users; docs/CONTAINERS.md says how they are run.
#
#   docker build --target bot -t tameclaw-bot .
#   docker build --target admin -t tameclaw-admin .
ARG RUST=1.95.0-slim-trixie
ARG DEBIAN=13.2-slim

FROM rust:${RUST} AS source
# What is installed is the toolchain of the image, without the components for developers.
ENV RUSTUP_TOOLCHAIN=1.95.0
WORKDIR /source
COPY . .

FROM source AS build-bot
# Static, by musl. The time zones and the certificates of the web are the only files of others in the image.
# hadolint ignore=DL3008
RUN apt-get update \
    && apt-get install --yes --no-install-recommends ca-certificates musl-tools tzdata \
    && rm -rf /var/lib/apt/lists/* \
    && rustup target add "$(uname -m)-unknown-linux-musl"
ENV CC_x86_64_unknown_linux_musl=musl-gcc \
    CC_aarch64_unknown_linux_musl=musl-gcc
# The door alone: what it needs of a library that both use would be in `cl-bot` too.
RUN cargo build --release --locked --package user-agent --target "$(uname -m)-unknown-linux-musl" \
    && cargo build --release --locked --package door --target "$(uname -m)-unknown-linux-musl" \
    && install -D "target/$(uname -m)-unknown-linux-musl/release/cl-bot" /out/cl-bot \
    && install -D "target/$(uname -m)-unknown-linux-musl/release/cl-door" /out/cl-door

FROM source AS build-admin
# The page of the review alone, as the door.
RUN cargo build --release --locked --package admin-service --features email \
    && cargo build --release --locked --package page \
    && install -D target/release/cl-admin /out/cl-admin \
    && install -D target/release/cl-review /out/cl-review

# The chat: no shell, no list of users, no C library.
FROM scratch AS bot
LABEL org.opencontainers.image.title="TameClaw bot" \
      org.opencontainers.image.description="cl-bot: the chat, which runs no command and changes none of its skills" \
      org.opencontainers.image.licenses="MIT OR Apache-2.0"
COPY --from=build-bot /etc/ssl/certs/ca-certificates.crt /etc/ssl/certs/ca-certificates.crt
COPY --from=build-bot /usr/share/zoneinfo /usr/share/zoneinfo
COPY --from=build-bot /out/cl-bot /usr/local/bin/cl-bot
# Beside the bot: `cl-bot serve` becomes it.
COPY --from=build-bot /out/cl-door /usr/local/bin/cl-door
ENV PATH=/usr/local/bin \
    TAMECLAW_HOME=/var/lib/tameclaw/home \
    TAMECLAW_DATA_DIR=/data
USER 65532:65532
ENTRYPOINT ["/usr/local/bin/cl-bot"]

# The service: with the compiler that makes approved wishes into modules.
FROM debian:${DEBIAN} AS admin
LABEL org.opencontainers.image.title="TameClaw admin" \
      org.opencontainers.image.description="cl-admin: builds, reviews and installs what the bot may learn" \
      org.opencontainers.image.licenses="MIT OR Apache-2.0"
# hadolint ignore=DL3008
RUN apt-get update \
    && apt-get install --yes --no-install-recommends ca-certificates libstd-rust-dev-wasm32 lld rustc tzdata \
    && rm -rf /var/lib/apt/lists/* \
    && groupadd --gid 65531 tameclaw \
    && groupadd --gid 65532 cl-bot \
    && useradd --uid 65531 --gid tameclaw --groups cl-bot --no-create-home --home-dir /nonexistent \
        --shell /usr/sbin/nologin tameclaw \
    && install -d -o 65531 -g 65532 -m 2750 /var/lib/tameclaw/home
COPY --from=build-admin /out/cl-admin /usr/local/bin/cl-admin
# Beside the service: `cl-admin page serve` becomes it.
COPY --from=build-admin /out/cl-review /usr/local/bin/cl-review
# What it writes skills from without a model; it compares each file with the digest that it was built with.
COPY admin-service/skill-library /usr/local/share/tameclaw/skill-library
COPY --chmod=755 packaging/container/owners.sh /usr/local/libexec/tameclaw/owners
ENV TAMECLAW_HOME=/var/lib/tameclaw/home \
    TAMECLAW_DATA_DIR=/data
USER 65531:65531
ENTRYPOINT ["/usr/local/bin/cl-admin"]
CMD ["run"]
