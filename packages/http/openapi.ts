import swagger from "@fastify/swagger";
import type { FastifyInstance } from "fastify";

export interface ApiDescription {
  readonly title: string;
  readonly version: string;
  readonly description?: string;
}

/** The areas that routes belong to (`schema.tags`), in the order in which the API's page lists them. */
const AREAS: Readonly<Record<string, string>> = {
  "public reports":
    "Approved reports as everybody reads them, and who was reported more than once.",
  content: "The registry's own texts: frequent questions and legal pages.",
  templates: "The words of the mails that the registry sends.",
  search: "Search of the approved reports.",
  submitting: "Submit a report, and verify the reporter's address.",
  mails: "Mails that went out, and those that failed.",
  inquiries: "Forms for the registry's staff: companies, agencies, copyright notices.",
  notices: "Copyright notices and counter-notices, and what staff decide about them.",
  moderation: "Reports of every status: lists, decisions, edits, sealed data. For admins.",
  accounts: "Sign in and out, and who is signed in.",
  payments: "What a payment service tells the registry.",
  audit: "The audit log, and the history of a report. For admins and auditors.",
  system:
    "What the registry runs on, its settings, and long work: how far it is, its results, and stopping it. For admins.",
  operation: "Health, readiness and figures of this process.",
};

/**
 * Describes the API from the same schemas that validate it: `app.swagger()` returns OpenAPI 3.1.
 */
export async function registerOpenApi(app: FastifyInstance, info: ApiDescription): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: "3.1.0",
      info: { title: info.title, version: info.version, description: info.description ?? "" },
      tags: Object.entries(AREAS).map(([name, description]) => ({ name, description })),
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
