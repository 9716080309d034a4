#!/bin/sh
# Starts EventStoreDB with TLS and our own passwords, which it reads only from its environment.
set -e
# It trusts the certificates in a folder, one per file.
mkdir -p /tmp/authorities
(cd /tmp/authorities && csplit --quiet --elide-empty-files --suffix-format=%02d.crt \
  /run/secrets/certificate_authority '/-----BEGIN CERTIFICATE-----/' '{*}')
export EVENTSTORE_TRUSTED_ROOT_CERTIFICATES_PATH=/tmp/authorities
export EVENTSTORE_CERTIFICATE_FILE=/run/secrets/eventstoredb_certificate
export EVENTSTORE_CERTIFICATE_PRIVATE_KEY_FILE=/run/secrets/eventstoredb_key
EVENTSTORE_DEFAULT_ADMIN_PASSWORD=$(cat /run/secrets/eventstoredb_admin_password)
EVENTSTORE_DEFAULT_OPS_PASSWORD=$(cat /run/secrets/eventstoredb_ops_password)
export EVENTSTORE_DEFAULT_ADMIN_PASSWORD EVENTSTORE_DEFAULT_OPS_PASSWORD
exec /opt/eventstore/EventStore.ClusterNode "$@"
