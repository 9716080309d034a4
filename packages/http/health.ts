import type { IncomingMessage } from "node:http";
import type { Pool } from "pg";
import { Type } from "typebox";
import { DomainError } from "#contracts/domain-error.ts";
import { omitUndefined } from "#contracts/omit-undefined.ts";
import { rightsOf, type ServiceName } from "#runtime/db/service-roles.ts";
import { shareResult } from "#runtime/lifecycle/back-off.ts";
import { withDeadline } from "#runtime/lifecycle/lifecycle.ts";
import { ROLES } from "./actor.ts";
import { messages } from "./errors.ts";
import type { ServiceInstance } from "./service.ts";

/** The result of a check; `detail` holds figures and codes, never personal data. */
export interface CheckResult {
  readonly ok: boolean;
  readonly detail?: Readonly<Record<string, string | number | boolean>>;
}

/** Checks a dependency of the service. A rejection counts as not ok. */
export type ReadinessCheck = () => Promise<CheckResult>;

export interface Readiness {
  readonly status: "ready" | "not_ready";
  readonly service: string;
  readonly checks: Readonly<Record<string, CheckResult & { readonly ms: number }>>;
}

/** Timeout of one check in milliseconds. */
const TIME_LIMIT = 2000;
/** Milliseconds for which `/readyz` caches the result of the checks. */
export const READINESS_CACHE_MS = 1000;

const Detail = Type.Record(
  Type.String(),
  Type.Union([Type.String(), Type.Number(), Type.Boolean()]),
);
const strict = { additionalProperties: false };
const ReadinessReply = Type.Object(
  {
    status: Type.Enum(["ready", "not_ready"]),
    // Only operators see more than the status.
    service: Type.Optional(Type.String()),
    checks: Type.Optional(
      Type.Record(
        Type.String(),
        Type.Object(
          { ok: Type.Boolean(), ms: Type.Integer(), detail: Type.Optional(Detail) },
          strict,
        ),
      ),
    ),
  },
  strict,
);
const HealthReply = Type.Object({ status: Type.Literal("ok"), service: Type.String() }, strict);

/** Runs all checks concurrently, each with its own timeout. */
export async function runChecks(
  service: string,
  checks: Readonly<Record<string, ReadinessCheck>>,
  draining: boolean,
): Promise<Readiness> {
  const results = await Promise.all(
    Object.entries(checks).map(async ([name, check]) => {
      const start = performance.now();
      const result = await runOne(check);
      return [name, { ...result, ms: Math.round(performance.now() - start) }] as const;
    }),
  );
  const ready = !draining && results.every(([, { ok }]) => ok);
  return {
    status: ready ? "ready" : "not_ready",
    service,
    checks: Object.fromEntries(results),
  };
}

async function runOne(check: ReadinessCheck): Promise<CheckResult> {
  try {
    return await withDeadline(check(), TIME_LIMIT, () => new Error("time limit"));
  } catch (error) {
    // An error's message may contain addresses and credentials; its class does not.
    const { name, message } = error as Error;
    return { ok: false, detail: { error: message === "time limit" ? message : String(name) } };
  }
}

/**
 * `/healthz` (the process responds), `/readyz` (it can do its work), `/metrics` (Prometheus), and
 * `/openapi.json`, from which web builds the API docs. Only operators see checks and metrics
 * (see `operatorCheck`); everyone else sees only the status.
 */
export function registerHealth(
  app: ServiceInstance,
  service: string,
  isOperator: (request: IncomingMessage) => boolean,
): void {
  const config = { roles: ROLES, limit: "probe" } as const;
  let told: Readiness["status"] | undefined;
  const askReadiness = shareResult(() => app.checkReadiness(), READINESS_CACHE_MS);
  let description: string | undefined;
  app.get(
    "/healthz",
    { config, schema: { tags: ["operation"], response: { 200: HealthReply } } },
    async () => ({ status: "ok" as const, service }),
  );
  app.get(
    "/readyz",
    {
      config,
      schema: { tags: ["operation"], response: { 200: ReadinessReply, 503: ReadinessReply } },
    },
    async (request, reply) => {
      const readiness = await askReadiness();
      const { status, checks } = readiness;
      if (status !== told) {
        const failed = Object.keys(checks).filter((name) => !checks[name]?.ok);
        request.log.info({ state: status, check: failed.join(", ") }, "readiness changed");
        told = status;
      }
      reply.code(status === "ready" ? 200 : 503);
      return reply.send(isOperator(request.raw) ? readiness : { status });
    },
  );
  app.get(
    "/metrics",
    { config, schema: { tags: ["operation"], response: { 200: Type.String() } } },
    async (request, reply) => {
      if (!isOperator(request.raw)) throw new DomainError("not_found", messages.not_found);
      const { registry } = app.metrics;
      return reply.type(registry.contentType).send(await registry.metrics());
    },
  );
  app.get(
    "/openapi.json",
    { config, schema: { hide: true, response: { 200: Type.String() } } },
    async (_request, reply) => {
      description ??= JSON.stringify(app.swagger());
      return reply.type("application/json; charset=utf-8").send(description);
    },
  );
}

/** The parts of a service's stores that checks call. */
interface CheckedStores {
  readonly database?: Pick<Pool, "query">;
  readonly keys: { get(subjects: readonly string[]): Promise<unknown> };
  readonly event_log: { head(): Promise<unknown> };
}

/** Returns a check for each store. The database's also reports whether the service uses its own role. */
export function storeChecks(service: ServiceName, { database, keys, event_log }: CheckedStores) {
  const answered = (ask: () => Promise<unknown>): ReadinessCheck => {
    return async () => {
      await ask();
      return { ok: true };
    };
  };
  const databaseCheck = (pool: Pick<Pool, "query">): ReadinessCheck => {
    return async () => ({ ok: true, detail: { rights: await rightsOf(pool, service) } });
  };
  return {
    ...omitUndefined({ database: database && databaseCheck(database) }),
    // No key has this name; any reply will do.
    keys: answered(() => keys.get(["readiness"])),
    event_log: answered(() => event_log.head()),
  };
}
