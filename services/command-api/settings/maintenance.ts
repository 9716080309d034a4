import type { FastifyRequest } from "fastify";
import { DomainError } from "#contracts/domain-error.ts";
import { MAINTENANCE_SENTENCE } from "#contracts/settings/catalogue.ts";
import type { Settings } from "#contracts/settings/settings-at.ts";
import { isForStaff } from "#http/actor.ts";
import type { ServiceInstance } from "#http/service.ts";

/** Seconds after which a client may try again when no end is named, and the most that it is told. */
const RETRY_SECONDS = { unknown: 600, least: 30, most: 3600 };

/** What goes on: how staff get in, and how anybody gets out, of a session or of mails. */
const GOES_ON: ReadonlySet<string> = new Set([
  "/prod/api/auth/login",
  "/prod/api/auth/login/two-factor",
  "/prod/api/auth/logout",
  "/prod/api/auth/prove",
  "/prod/api/auth/refresh",
  "/prod/api/auth/sign-in-link/:token",
  "/prod/api/unsubscribe/:token",
]);

/** The registry is being maintained. */
export class InMaintenance extends DomainError {
  /** Whole seconds. */
  readonly retryAfter: number;

  constructor({ maintenanceMessage, maintenanceUntil }: Settings, nowMs: number) {
    super("maintenance", maintenanceMessage || MAINTENANCE_SENTENCE);
    const { unknown, least, most } = RETRY_SECONDS;
    const left = Math.ceil((Date.parse(maintenanceUntil) - nowMs) / 1000);
    this.retryAfter = Number.isNaN(left) ? unknown : Math.min(Math.max(left, least), most);
  }
}

/** Refuses what others than staff send while the registry is being maintained. */
export function refuseInMaintenance(
  app: ServiceInstance,
  { settings, now }: { readonly settings: () => Settings; readonly now: () => Date },
): void {
  // Before the body is read: the caller is known by then.
  app.addHook("onRequest", async (request) => {
    if (!isPublicWrite(request)) return;
    const present = settings();
    if (present.maintenanceMode) throw new InMaintenance(present, now().getTime());
  });
}

function isPublicWrite(request: FastifyRequest): boolean {
  const { method, actor, origin, is404, routeOptions } = request;
  if (method === "GET" || method === "HEAD" || method === "OPTIONS" || is404) return false;
  if (origin === "sample" || isForStaff([actor.role])) return false;
  return !GOES_ON.has(routeOptions.url ?? "");
}
