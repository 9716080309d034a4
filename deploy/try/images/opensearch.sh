#!/bin/sh
# The node of packages/local-servers/opensearch listens on loopback, without TLS, and ends with its standard input.
secrets=/run/secrets
socat "OPENSSL-LISTEN:9200,fork,reuseaddr,verify=0,certificate=$secrets/opensearch_certificate,key=$secrets/opensearch_key" \
  TCP:127.0.0.1:9201 &
# Several words.
# shellcheck disable=SC2086
tail -f /dev/null | /opt/jdk/bin/java $OPENSEARCH_JAVA_OPTS -XX:+UseSerialGC -XX:TieredStopAtLevel=1 \
  --enable-native-access=ALL-UNNAMED \
  -cp "/opt/opensearch/classes:/opt/opensearch/lib/*" SearchNode /usr/share/opensearch 9201
