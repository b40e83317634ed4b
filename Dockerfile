# Wattloop from its Debian package: docs/packaging.md.
ARG BASE=debian:12

FROM $BASE AS build
COPY . /src
RUN apt-get update && apt-get install -y --no-install-recommends git
RUN cd /src && scripts/package /package

FROM $BASE
COPY --from=build /package /package
RUN apt-get update && apt-get install -y --no-install-recommends /package/libwattloop0_*.deb /package/wattloop_*.deb && rm -rf /package /var/lib/apt/lists/*
WORKDIR /work
ENTRYPOINT ["wattloop"]
