#!/bin/sh
# Creates the database at the first start, like the PostgreSQL image, and starts it.
set -e
export PGDATA=/var/lib/postgresql/18/docker
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  mkdir -p "$PGDATA"
  chmod 700 "$PGDATA"
  # Split into words on purpose.
  # shellcheck disable=SC2086
  initdb --pgdata="$PGDATA" --username="$POSTGRES_USER" --pwfile="$POSTGRES_PASSWORD_FILE" \
    --auth-local=trust --auth-host=scram-sha-256 $POSTGRES_INITDB_ARGS
  printf "listen_addresses = '*'\nunix_socket_directories = '/run/postgresql'\n" >> "$PGDATA/postgresql.conf"
  pg_ctl --pgdata="$PGDATA" --options="-c listen_addresses=''" --wait start
  [ "$POSTGRES_DB" = postgres ] ||
    /usr/lib/postgresql/15/bin/createdb --host=/run/postgresql --username="$POSTGRES_USER" "$POSTGRES_DB"
  pg_ctl --pgdata="$PGDATA" --mode=fast --wait stop
fi
exec "$@"
