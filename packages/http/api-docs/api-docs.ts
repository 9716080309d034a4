import helmet from "@fastify/helmet";
import swagger from "@fastify/swagger";
import swaggerUi from "@fastify/swagger-ui";
import type { FastifyInstance } from "fastify";
import { stringify } from "yaml";
import { shareResult } from "#runtime/lifecycle/back-off.ts";
import type { Limits } from "../limits.ts";
import { mergeOpenApi, type OpenApiDocument } from "./merge-openapi.ts";

export interface ApiDocsOptions {
  readonly version: string;
  readonly limits: Pick<Limits, "byAddress">;
  /** The descriptions of all services that answer requests of the API. */
  readonly describe: () => Promise<readonly OpenApiDocument[]>;
  /**
   * For how many milliseconds an answer of `describe` is used. Services elsewhere may start later
   * or be replaced; those of the same process never change.
   */
  readonly keptMs: number;
}

/**
 * Content security policy of the API page: no other origins and no external validator. It does not
 * upgrade plain HTTP, because loopback has no HTTPS.
 */
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

/** `/docs`, `/docs/json` and `/docs/yaml`: one description of the APIs of all services. */
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
      // The page reads /docs/json, which the hook below answers.
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

/** The merged description of all services as bytes. Each format is created when first requested. */
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
