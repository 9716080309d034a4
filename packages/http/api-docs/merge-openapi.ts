/** The parts of an OpenAPI document that merging needs. */
export type OpenApiDocument = {
  openapi?: string;
  paths?: Record<string, Record<string, unknown>>;
  components?: Record<string, Record<string, unknown>>;
  tags?: OpenApiTag[];
};

type OpenApiTag = { name: string; description?: string };

/** Probes of the single services. Behind one port the launcher's own probes replace them. */
const ownPaths = new Set(["/healthz", "/readyz", "/metrics"]);

/**
 * Merges the descriptions of services that share an address: their paths, the methods of each path,
 * their components, and the tags that are in use. Where two services answer the same method, told
 * apart by a parameter, it gets the parameters of both and the rest of the first description.
 *
 * @throws Error when two services describe a component differently.
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
      for (const [method, operation] of Object.entries(methods))
        paths[path][method] = mergeOperations(paths[path][method], operation);
    }
    for (const [kind, entries] of Object.entries(document.components ?? {})) {
      components[kind] ??= {};
      for (const [name, entry] of Object.entries(entries)) {
        const known = components[kind][name];
        if (known !== undefined && JSON.stringify(known) !== JSON.stringify(entry))
          throw new Error(`two services describe components.${kind}.${name} in different ways`);
        components[kind][name] = entry;
      }
    }
  }
  return { openapi: "3.1.0", info, tags: usedTags(documents, paths), paths, components };
}

/**
 * The tags in the order of the documents. The page would show an unused tag as an empty section.
 */
function usedTags(
  documents: readonly OpenApiDocument[],
  paths: Record<string, Record<string, unknown>>,
): OpenApiTag[] {
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
  const used = new Set(operations.flatMap((given) => (given as { tags?: string[] }).tags ?? []));
  const tags = new Map<string, OpenApiTag>();
  for (const tag of documents.flatMap((document) => document.tags ?? []))
    if (used.has(tag.name) && !tags.has(tag.name)) tags.set(tag.name, tag);
  return [...tags.values()];
}

type Parameter = { name?: string; in?: string };

function mergeOperations(first: unknown, second: unknown): unknown {
  if (first === undefined) return second;
  const parametersOf = (operation: unknown) =>
    (operation as { parameters?: Parameter[] }).parameters ?? [];
  const parameters = [...parametersOf(first)];
  for (const parameter of parametersOf(second))
    if (!parameters.some((known) => known.name === parameter.name && known.in === parameter.in))
      parameters.push(parameter);
  return { ...(first as object), parameters };
}
