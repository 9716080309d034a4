#!/bin/sh
# Starts PostgreSQL with TLS. It accepts a private key only from a file that no one else can read.
set -e
install -m 600 "$KEY_FILE" /tmp/key
exec docker-entrypoint.sh "$@" -c ssl=on -c ssl_min_protocol_version=TLSv1.3 \
  -c ssl_cert_file="$CERTIFICATE_FILE" -c ssl_key_file=/tmp/key -c hba_file=/registry/pg_hba.conf
