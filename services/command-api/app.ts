import type { Logger } from "pino";
import type { EventStore } from "#event-store/port.ts";
import type { CounterStore } from "#kit/counters/port.ts";
import type { AccountGate } from "#kit/http/auth.ts";
import { DomainError, errorStatuses } from "#kit/http/errors.ts";
import type { ReadinessCheck } from "#kit/http/health.ts";
import { createService, type ServiceInstance } from "#kit/http/service.ts";
import { accountRoutes } from "./account/account.routes.ts";
import type { AccountService } from "./account/account.service.ts";
import { createRequests } from "./commands/caller.ts";
import { reportAdminRoutes } from "./report/report.admin-routes.ts";
import { reportEmergencyRoutes } from "./report/report.emergency-routes.ts";
import { reportRoutes } from "./report/report.routes.ts";
import type { ReportService } from "./report/report.service.ts";
import type { SecurityRecorder } from "./security/security.recorder.ts";
import type { ViewCounter } from "./views/view-counter.ts";

export interface CommandAppDeps {
  readonly version: string;
  readonly log: Logger;
  readonly store: EventStore;
  readonly reports: ReportService;
  readonly accounts: AccountService;
  readonly security: SecurityRecorder;
  readonly views: ViewCounter;
  readonly gate: AccountGate;
  /** Service keys `commands` and `tokens`. */
  readonly commandKey: Buffer;
  readonly tokenKey: Buffer;
  readonly blindEmail: (email: string) => string;
  readonly epoch: string;
  readonly now: () => Date;
  readonly limits: "on" | "off";
  /** Where limits count; in the memory of this service when absent. */
  readonly counters?: CounterStore;
  readonly trustProxyHops: number;
  readonly corsOrigins?: readonly string[];
  /** Marks the sample loader's requests; see `origin.ts` in the service kit. */
  readonly originToken?: string;
  readonly checks?: Readonly<Record<string, ReadinessCheck>>;
  readonly processMetrics?: boolean;
}

/** The write side over HTTP: whatever is no GET, and the emergency forms of one. */
export async function buildCommandApp(deps: CommandAppDeps): Promise<ServiceInstance> {
  const { reports, accounts, security, views, epoch, now } = deps;
  const requests = createRequests({ serverKey: deps.commandKey, epoch, now });
  const app = await createService({
    name: "command-api",
    version: deps.version,
    log: deps.log,
    tokenKey: deps.tokenKey,
    accounts: deps.gate,
    limits: deps.limits,
    trustProxyHops: deps.trustProxyHops,
    ...(deps.counters ? { counters: deps.counters } : {}),
    checks: {
      event_log: async () => {
        await deps.store.head();
        return { ok: true };
      },
      ...deps.checks,
    },
    // What a visitor tries is no sign of a stolen account; it would only fill the log.
    onCallRefused: async ({ actor, code, method, route, request }) => {
      if (actor.role === "visitor") return;
      await security.callRefused(requests.caller(request), { method, route, code });
    },
    ...(deps.corsOrigins ? { corsOrigins: deps.corsOrigins } : {}),
    ...(deps.originToken ? { originToken: deps.originToken } : {}),
    ...(deps.processMetrics === undefined ? {} : { processMetrics: deps.processMetrics }),
  });
  // Whoever was second reads what the first one did, not what stood there before. Visitors are told
  // nothing of the log by a refusal.
  app.addHook("onError", async (request, reply, error) => {
    if (request.actor?.role === "visitor" || !(error instanceof DomainError)) return;
    const isOutdated = [409, 410].includes(errorStatuses[error.code]);
    if (error.position && isOutdated) requests.position(reply, error.position);
  });
  reportRoutes(app, { reports, requests, views });
  reportAdminRoutes(app, { reports, requests });
  reportEmergencyRoutes(app, { reports, requests });
  accountRoutes(app, {
    accounts,
    requests,
    sign: (account) => app.tokens.issue(account).token,
    blindEmail: deps.blindEmail,
  });
  return app;
}
