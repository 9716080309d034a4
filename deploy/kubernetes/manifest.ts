/** A manifest as `kubectl apply` takes it. */
export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly labels: Readonly<Record<string, string>> };
  readonly [part: string]: unknown;
}

/** Name of the Secret with the files of `secrets/`, and of the ConfigMap with the settings. */
export const REGISTRY = "registry";

export function manifest(apiVersion: string, kind: string, name: string, parts: object): Manifest {
  return { apiVersion, kind, metadata: { name, labels: labelsOf(name) }, ...parts };
}

export function labelsOf(name: string): Record<string, string> {
  return { "app.kubernetes.io/part-of": REGISTRY, "app.kubernetes.io/name": name };
}
