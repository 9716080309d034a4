/** As much of an OpenAPI document as merging needs. */
export type OpenApiDocument = {
  openapi?: string;
  paths?: Record<string, Record<string, unknown>>;
  components?: Record<string, Record<string, unknown>>;
};

/** Probes that each service answers for itself; behind one port the launcher's own stand there. */
const ownPaths = new Set(["/healthz", "/readyz", "/metrics"]);

/**
 * One description of services that share an address: paths and components side by side, methods
 * of one path together.
 *
 * @throws Error when two services describe the same method of a path, or a component differently.
 */
export function mergeOpenApi(
  info: { title: string; version: string },
  documents: readonly OpenApiDocument[],
): OpenApiDocument & { info: typeof info } {
  const paths: Record<string, Record<string, unknown>> = {};
  const components: Record<string, Record<string, unknown>> = {};
  for (const document of documents) {
    for (const [path, methods] of Object.entries(document.paths ?? {})) {
      if (ownPaths.has(path)) continue;
      paths[path] ??= {};
      addAll(paths[path], methods, path);
    }
    for (const [kind, entries] of Object.entries(document.components ?? {})) {
      components[kind] ??= {};
      addAll(components[kind], entries, `components.${kind}`);
    }
  }
  return { openapi: "3.1.0", info, paths, components };
}

function addAll(
  into: Record<string, unknown>,
  entries: Record<string, unknown>,
  where: string,
): void {
  for (const [name, value] of Object.entries(entries)) {
    if (name in into && JSON.stringify(into[name]) !== JSON.stringify(value))
      throw new Error(`two services describe ${where} ${name} in different ways`);
    into[name] = value;
  }
}
