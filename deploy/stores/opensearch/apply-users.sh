#!/bin/sh
# Replaces users, roles and rights in the running OpenSearch with those in the files.
set -e
cd /usr/share/opensearch
for file in "internalusers /run/secrets/opensearch_users" \
  "roles /registry/roles.yml" "rolesmapping /registry/roles_mapping.yml"; do
  sh plugins/opensearch-security/tools/securityadmin.sh -h opensearch -icl \
    -t "${file%% *}" -f "${file#* }" -cacert /run/secrets/certificate_authority \
    -cert /run/secrets/opensearch_admin_certificate -key /run/secrets/opensearch_admin_key
done
