/** As much of an OpenAPI document as merging needs. */
export type OpenApiDocument = {
  openapi?: string;
  paths?: Record<string, Record<string, unknown>>;
  components?: Record<string, Record<string, unknown>>;
  tags?: OpenApiTag[];
};

type OpenApiTag = { name: string; description?: string };

/** Probes that each service answers itself; behind one port the launcher's own replace them. */
const ownPaths = new Set(["/healthz", "/readyz", "/metrics"]);

/**
 * One description of services that share an address: paths and components side by side, methods
 * of one path together, and the tags that some operation has. A method that two services answer (told apart by a parameter) has the
 * parameters of both, and is otherwise described as the first of them does.
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

/** In the order of the first document; the page would list an empty section for any other. */
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
