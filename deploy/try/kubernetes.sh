#!/usr/bin/env bash
# Applies deploy/kubernetes to a real API server with Kubernetes' own controllers and etcd, all built from Go modules.
# There are no nodes, so pods are created and stay pending. Requires root, Go and `npm ci`. Builds are kept in TRY_FOLDER.
#   deploy/try/kubernetes.sh [1.30.14]
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
version=${1:-1.30.14}
folder=${TRY_FOLDER:-/tmp/registry-try}/kubernetes-$version
mkdir -p "$folder"
cd "$folder"
export PATH="$root/node_modules/.bin:$folder/bin:$PATH" KUBECONFIG="$folder/kubeconfig"
say() { printf '== %s\n' "$*"; }

# The module refers to its parts by folders it does not have; each is a module of the same version.
build() {
  [ -d bin ] && return
  say "Kubernetes $version, Go modules"
  local commands=k8s.io/kubernetes/cmd module
  rm -f go.mod go.sum
  go mod init try
  module=$(go mod download -json "k8s.io/kubernetes@v$version" | node -p 'JSON.parse(fs.readFileSync(0)).GoMod')
  go mod edit -json "$module" | node -e '
    for (const { Old, New } of JSON.parse(fs.readFileSync(0)).Replace)
      if (New.Path.startsWith("./")) console.log(`-replace=${Old.Path}=${Old.Path}@v0.${process.argv[1]}`)' \
    "${version#1.}" | xargs go mod edit
  go get "$commands/kube-apiserver@v$version" "$commands/kube-controller-manager@v$version" "$commands/kubectl@v$version"
  go get "go.etcd.io/etcd/server/v3@$(go list -m -f '{{.Version}}' go.etcd.io/etcd/server/v3)"
  mkdir -p built
  export CGO_ENABLED=0
  go build -trimpath -ldflags "-s -w -X k8s.io/component-base/version.gitVersion=v$version" -o built/ \
    "$commands/kube-apiserver" "$commands/kube-controller-manager" "$commands/kubectl"
  go build -trimpath -ldflags "-s -w" -o built/etcd go.etcd.io/etcd/server/v3
  mv built bin
}

until_true() {
  for _ in $(seq 300); do
    "$@" >/dev/null 2>&1 && return
    sleep 0.2
  done
  say "not within a minute: $*"
  return 1
}

start() {
  pids=()
  trap 'kill "${pids[@]}" 2>/dev/null; wait' EXIT
  rm -rf state && mkdir state
  ip link set lo up
  etcd --data-dir state/etcd --log-level error >etcd.log 2>&1 &
  pids+=($!)
  (umask 077 && openssl genrsa -out state/accounts.key 2048 2>/dev/null && openssl rand -hex 16 >state/token)
  printf '%s,admin,admin,system:masters\n' "$(cat state/token)" >state/tokens
  # Controllers create the pods' accounts, but no endpoints for a server on loopback.
  kube-apiserver --etcd-servers http://127.0.0.1:2379 --bind-address 127.0.0.1 --advertise-address 127.0.0.1 --secure-port 6443 --cert-dir state \
    --authorization-mode RBAC --token-auth-file state/tokens --service-cluster-ip-range 10.96.0.0/16 \
    --service-account-issuer https://127.0.0.1:6443 --service-account-key-file state/accounts.key \
    --service-account-signing-key-file state/accounts.key --endpoint-reconciler-type none >apiserver.log 2>&1 &
  pids+=($!)
  rm -f "$KUBECONFIG"
  kubectl config set-cluster try --server https://127.0.0.1:6443 --insecure-skip-tls-verify
  kubectl config set-credentials admin --token "$(cat state/token)"
  kubectl config set-context try --cluster try --user admin --namespace registry
  kubectl config use-context try
  until_true kubectl get --raw /readyz
  kube-controller-manager --kubeconfig "$KUBECONFIG" --service-account-private-key-file state/accounts.key \
    --leader-elect=false --use-service-account-credentials=false >controllers.log 2>&1 &
  pids+=($!)
}

# Warnings are about fields that are unknown, deprecated, or against the namespace's security standard.
apply() { kubectl apply --warnings-as-errors --validate=strict "$@"; }

# Increases with each change to a spec. `kubectl apply` says "configured" even for policies and budgets it leaves unchanged.
generations() { kubectl get deployments,jobs,networkpolicies,poddisruptionbudgets,services \
  --output jsonpath='{range .items[*]}{.kind}/{.metadata.name} {.metadata.generation}{"\n"}{end}'; }

has_pods() { [ "$(kubectl get pods --no-headers | wc -l)" = "$1" ]; }

check() {
  say "as docs/runbooks/kubernetes.md says, in a namespace with the strictest security standard"
  rm -rf source && mkdir source
  git -C "$root" archive HEAD | tar -x -C source
  (cd source && ln -sfn "$root/node_modules" node_modules && node deploy/compose-secrets.ts >/dev/null)
  local registry=source/deploy/kubernetes/registry.yaml operate=source/deploy/kubernetes/operate.yaml pods before
  kubectl create namespace registry
  kubectl label namespace registry pod-security.kubernetes.io/{enforce,warn}=restricted
  until_true kubectl get serviceaccount default
  kubectl create secret generic registry --from-file=source/secrets
  kubectl create configmap haproxy --from-file=source/deploy/haproxy.cfg --from-file=source/deploy/haproxy/reads-by-post.lst \
    --from-file=source/deploy/haproxy/recognized.lst --from-file=source/deploy/haproxy/leave-frozen.lua
  for dry_run in client server; do apply --dry-run=$dry_run --filename $registry --filename $operate; done
  apply --filename $registry
  kubectl diff --filename $registry
  before=$(generations)
  apply --filename $registry
  [ "$(generations)" = "$before" ]
  say "a second time, nothing changed"
  pods=$(kubectl get deployments --output jsonpath='{.items[*].spec.replicas}' | tr ' ' '+')
  until_true has_pods "$((pods + 1))"
  kubectl get pods --output wide
  say "a new version, and a command of the operator's"
  sed --in-place 's|image: registry:latest|image: registry:next|' $registry $operate
  kubectl delete job migrate --ignore-not-found
  apply --filename $registry --filename $operate
  # Each service with the image gets one more pod before an old one ends, but none becomes ready; each job gets one.
  until_true has_pods "$((pods + $(cat $registry $operate | grep --count 'image: registry:next')))"
  kubectl get all,networkpolicies,poddisruptionbudgets,persistentvolumeclaims
}

if [ "${INSIDE:-}" != yes ]; then
  build
  INSIDE=yes exec unshare --net "$here/$(basename "$0")" "$version"
fi
start
check
say "Kubernetes $version takes everything"
