# An image of what `npm pack` makes, and of nothing else: the folder that is sent to the builder holds that one file.
#   mkdir image && npm pack --pack-destination image && docker build --tag riskcli --file Dockerfile image
# No key is needed to build it, and none is in it. riskcli ends by itself when it is through, so there is no HEALTHCHECK; as
# process 1 it obeys Ctrl-C and `docker stop`, so it needs no init.
ARG BASE=docker.io/library/node:24-slim
FROM ${BASE}
ADD riskcli-*.tgz /opt/
RUN ln -s /opt/package/bin/riskcli.js /usr/local/bin/riskcli && install -d -o 1000 -g 1000 /data
# Lists, results, journals, settings and what is learned of the key: all that should outlive a container.
VOLUME /data
WORKDIR /data
ENV HOME=/data
USER 1000:1000
ENTRYPOINT ["riskcli"]
CMD ["--help"]
