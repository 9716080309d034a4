import swagger from "@fastify/swagger";
import type { FastifyInstance } from "fastify";

export interface ApiDescription {
  readonly title: string;
  readonly version: string;
  readonly description?: string;
}

/** Describes the API from the very schemas that validate it: `app.swagger()` gives OpenAPI 3.1. */
export async function registerOpenApi(app: FastifyInstance, info: ApiDescription): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: "3.1.0",
      info: { title: info.title, version: info.version, description: info.description ?? "" },
      components: {
        securitySchemes: { bearer: { type: "http", scheme: "bearer", bearerFormat: "JWT" } },
      },
    },
    transform: ({ schema, url, route }) => {
      const roles = route.config?.roles ?? [];
      const security = roles.includes("visitor") ? [] : [{ bearer: [] }];
      return { schema: { ...schema, security, "x-roles": roles }, url };
    },
  });
}
