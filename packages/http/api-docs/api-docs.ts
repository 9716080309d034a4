import helmet from "@fastify/helmet";
import swagger from "@fastify/swagger";
import swaggerUi from "@fastify/swagger-ui";
import type { FastifyInstance } from "fastify";
import { stringify } from "yaml";
import { shareResult } from "#runtime/lifecycle/back-off.ts";
import type { Limits } from "../limits.ts";

export interface ApiDocsOptions {
  readonly version: string;
  readonly limits: Pick<Limits, "byAddress">;
  readonly describe: () => Promise<readonly OpenApiDocument[]>;
  /** Milliseconds that a result of `describe` is cached. Services in the same process never change. */
  readonly keptMs: number;
}

/** Content security policy of the API page. It doesn't upgrade to HTTPS, because loopback has none. */
const DOCS_POLICY = {
  "default-src": "'none'",
  "base-uri": "'none'",
  "connect-src": "'self'",
  "font-src": "'self' data:",
  "form-action": "'none'",
  "frame-ancestors": "'none'",
  "img-src": "'self' data:",
  "script-src": "'self'",
  "style-src": "'self' 'unsafe-inline'",
};

/** Serves `/docs`, `/docs/json` and `/docs/yaml`: one description of the APIs of all services. */
export async function registerApiDocs(
  app: FastifyInstance,
  options: ApiDocsOptions,
): Promise<void> {
  const askDescription = shareDescription(options);
  await app.register(async (docs) => {
    docs.addHook("onRequest", (request) => options.limits.byAddress(request, "read"));
    await docs.register(helmet, { contentSecurityPolicy: false, strictTransportSecurity: false });
    await docs.register(swagger, {
      mode: "static",
      // The page reads /docs/json, which the hook below serves.
      specification: { document: {} as never },
    });
    await docs.register(swaggerUi, {
      routePrefix: "/docs",
      staticCSP: DOCS_POLICY,
      theme: { title: "Chargeback registry: API" },
      uiConfig: {
        docExpansion: "list",
        // Leaves out the library's top bar, which can load other descriptions.
        layout: "BaseLayout",
        persistAuthorization: false,
        validatorUrl: null,
      },
      uiHooks: {
        preHandler: async ({ routeOptions: { url } }, reply) => {
          if (url !== "/docs/json" && url !== "/docs/yaml") return;
          const { json, yaml } = await askDescription();
          if (url === "/docs/yaml") return reply.type("application/yaml").send(yaml());
          return reply.type("application/json; charset=utf-8").send(json());
        },
      },
    });
  });
}

/** The merged description of all services as bytes. Each format is rendered on first request. */
function shareDescription({ version, describe, keptMs }: ApiDocsOptions) {
  const info = { title: "Chargeback registry", version };
  return shareResult(async () => {
    const document = mergeOpenApi(info, await describe());
    let json: Buffer | undefined;
    let yaml: Buffer | undefined;
    return {
      json: () => (json ??= Buffer.from(JSON.stringify(document))),
      yaml: () => (yaml ??= Buffer.from(stringify(document))),
    };
  }, keptMs);
}

/** The parts of an OpenAPI document that merging needs. */
export type OpenApiDocument = {
  openapi?: string;
  paths?: Record<string, Record<string, unknown>>;
  components?: Record<string, Record<string, unknown>>;
  tags?: OpenApiTag[];
};

type OpenApiTag = { name: string; description?: string };

/** Probes of individual services. Behind one port the launcher's own probes replace them. */
const ownPaths = new Set(["/healthz", "/readyz", "/metrics"]);

/**
 * Merges the descriptions of services that share an address: their paths, the methods of each path,
 * their components, and the tags in use. If two services handle the same method and a parameter
 * decides between them, the operation gets the parameters of both and the rest of the first.
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

/** The tags in document order. The page would show an unused tag as an empty section. */
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
