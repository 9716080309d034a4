import { Type } from "typebox";
import { DomainError } from "#contracts/domain-error.ts";
import { reply as replyOf } from "#contracts/http/envelope.ts";
import { UnknownEvent } from "#vault/sealing/event-codec.ts";
import { REPORT_BOUNDS } from "../bounds.ts";
import { succeed } from "../envelope.ts";
import type { ServiceInstance, ServiceOptions } from "../service.ts";
import { createTestService } from "./test-service.ts";

const strict = { additionalProperties: false };
/** Configuration of a route that everyone may call. */
export const open = { roles: ["visitor", "user", "admin", "auditor"], limit: "read" } as const;
const Thing = Type.Object({ name: Type.String(), size: Type.Optional(Type.Integer()) }, strict);
export const ThingReply = replyOf(Thing);
/** Must never be visible to callers. */
export const SECRET = "dana-secret@example.com";

const apps: ServiceInstance[] = [];

/** Closes the services that a test created; call it after each test. */
export async function closeServices(): Promise<void> {
  await Promise.all(apps.splice(0).map((app) => app.close()));
}

/** A service without routes. */
export async function bareService() {
  const made = await createTestService();
  apps.push(made.app);
  return made;
}

/** A service with routes for every kind of input, reply and failure. */
export async function service(options: Partial<ServiceOptions> = {}) {
  const made = await createTestService(options);
  apps.push(made.app);
  const { app } = made;
  app.post(
    "/things/:id",
    {
      config: open,
      schema: {
        params: Type.Object({ id: Type.Integer() }, strict),
        querystring: Type.Object(
          {
            limit: Type.Optional(Type.Integer({ minimum: 1, default: 9 })),
            tags: Type.Optional(Type.Array(Type.String())),
            q: Type.Optional(Type.String({ maxLength: 5 })),
          },
          strict,
        ),
        body: Thing,
        response: {
          200: replyOf(
            Type.Object(
              { params: Type.Unknown(), query: Type.Unknown(), body: Type.Unknown() },
              strict,
            ),
          ),
        },
      },
    },
    async ({ params, query, body }) => succeed({ params, query, body }),
  );
  app.post(
    "/large",
    {
      config: { ...open, bounds: REPORT_BOUNDS },
      schema: { body: Thing, response: { 200: ThingReply } },
    },
    async ({ body }) => succeed(body),
  );
  app.post(
    "/optional",
    {
      config: open,
      schema: {
        body: Type.Object({ reason: Type.Optional(Type.String()) }, strict),
        response: { 200: ThingReply },
      },
    },
    async ({ body }) => succeed({ name: body.reason ?? "none" }),
  );
  app.post("/no-body", { config: open, schema: { response: { 200: ThingReply } } }, async () =>
    succeed({ name: "done" }),
  );
  app.get("/leaky", { config: open, schema: { response: { 200: ThingReply } } }, async () => ({
    success: true as const,
    data: { name: "x", email: SECRET },
    token: SECRET,
  }));
  app.get(
    "/wrong",
    { config: open, schema: { response: { 200: ThingReply } } },
    async (_request, reply) =>
      reply.send({ success: true, data: { name: { email: SECRET } } } as never),
  );
  app.get(
    "/undeclared-status",
    { config: open, schema: { response: { 200: ThingReply } } },
    async (_request, reply) =>
      (reply as { code(status: number): typeof reply }).code(201).send({ email: SECRET } as never),
  );
  app.get("/refused", { config: open, schema: { response: { 200: ThingReply } } }, async () => {
    throw new DomainError("reason_required", "A rejection needs a reason", { reason: "Say why" });
  });
  app.get("/broken", { config: open, schema: { response: { 200: ThingReply } } }, async () => {
    throw new SyntaxError(`Unexpected token in ${SECRET}`);
  });
  app.get("/away", { config: open, schema: { response: { 200: ThingReply } } }, async () => {
    throw Object.assign(new Error("connect"), { code: "ECONNREFUSED" });
  });
  app.get("/newer", { config: open, schema: { response: { 200: ThingReply } } }, async () => {
    throw new UnknownEvent("no event is called X");
  });
  app.get("/hangs", { config: open, schema: { response: { 200: ThingReply } } }, () => {
    return new Promise<never>(() => undefined);
  });
  return made;
}

export const post = (app: ServiceInstance, url: string, payload: unknown, headers = {}) =>
  app.inject({ method: "POST", url, payload: payload as object, headers });
export const json = { "content-type": "application/json" };
