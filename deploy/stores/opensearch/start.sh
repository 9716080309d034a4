#!/bin/sh
# Starts OpenSearch with TLS and users. It reads certificates only from its own folder.
set -e
cd /usr/share/opensearch
mkdir -p config/tls
install -m 600 /run/secrets/opensearch_key config/tls/key.pem
install -m 600 /run/secrets/opensearch_certificate config/tls/certificate.pem
install -m 600 /run/secrets/certificate_authority config/tls/authority.pem
# Read only at the first start. To change them later, use apply-users.sh.
install -m 600 /run/secrets/opensearch_users config/opensearch-security/internal_users.yml
cp /registry/roles.yml /registry/roles_mapping.yml config/opensearch-security/
set -- "$@" -Eplugins.security.ssl.http.enabled=true \
  -Eplugins.security.allow_default_init_securityindex=true \
  -Eplugins.security.nodes_dn=CN=opensearch \
  -Eplugins.security.authcz.admin_dn=CN=opensearch-admin
for layer in http transport; do
  set -- "$@" -Eplugins.security.ssl.$layer.pemcert_filepath=tls/certificate.pem \
    -Eplugins.security.ssl.$layer.pemkey_filepath=tls/key.pem \
    -Eplugins.security.ssl.$layer.pemtrustedcas_filepath=tls/authority.pem
done
exec ./opensearch-docker-entrypoint.sh "$@"
