import swagger from "@fastify/swagger";
import type { FastifyInstance } from "fastify";

export interface ApiDescription {
  readonly title: string;
  readonly version: string;
  readonly description?: string;
}

/** Route tags (`schema.tags`), in the order in which the API page lists them. */
const AREAS: Readonly<Record<string, string>> = {
  "public reports": "Approved reports as anyone can read them, and habitual offenders.",
  content: "The registry's own texts: FAQ and legal pages.",
  templates: "The templates of the emails that the registry sends.",
  search: "Search of the approved reports.",
  submitting: "Submit a report and confirm the reporter's address.",
  mails: "Sent and failed emails.",
  inquiries: "Inquiry forms: companies, law enforcement, copyright notices.",
  notices: "Copyright notices and counter-notices, and staff decisions on them.",
  moderation: "Reports of every status: lists, decisions, edits, encrypted data. For admins.",
  accounts: "Sign in and out, and who is signed in.",
  payments: "Webhooks of the payment service.",
  audit: "The audit log, and the history of a report. For admins and auditors.",
  system: "The system's status and settings, and jobs: progress, results, stopping. For admins.",
  operation: "Health, readiness and metrics of this process.",
};

/** Generates OpenAPI 3.1 from the schemas that validate requests; `app.swagger()` returns it. */
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
