import type { FastifyRequest } from "fastify";
import { DomainError } from "#contracts/domain-error.ts";
import { streams } from "#contracts/events/index.ts";
import { evolveSettings, type SettingsState } from "#contracts/events/settings/settings-fold.ts";
import { ChangeSettings, SettingsChangedReply } from "#contracts/http/settings.ts";
import { omitUndefined } from "#contracts/omit-undefined.ts";
import { subjects } from "#contracts/sealed.ts";
import { MAINTENANCE_SENTENCE } from "#contracts/settings/catalogue.ts";
import {
  CHANGE_SETTINGS,
  type Settings,
  SYSTEM_SETTINGS,
  settingsAt,
} from "#contracts/settings/settings-at.ts";
import { type Actor, isForStaff } from "#http/actor.ts";
import { succeed } from "#http/envelope.ts";
import type { ServiceInstance } from "#http/service.ts";
import { commandsOf } from "../kernel/command-route.ts";
import { ownSubject } from "../kernel/envelope.ts";
import type { Aggregate } from "../kernel/handler.ts";
import type { WriteSide } from "../write-side.ts";
import { decideSettings, type SettingsCommand } from "./settings.decider.ts";

/** Registers the route for changing the settings. */
export function settingsRoutes(
  app: ServiceInstance,
  { admins, follower, handler }: WriteSide,
): void {
  const command = commandsOf(app, "system");
  command("PUT", SYSTEM_SETTINGS, {
    roles: ["admin"],
    limit: "write",
    proof: true,
    summary: "Change the registry's settings; they apply in every process within two seconds",
    body: ChangeSettings,
    reply: SettingsChangedReply,
    async run(request) {
      const { revision: seen, ...changes } = request.body;
      if (changes.staffSecondFactor !== undefined) refuseWithoutFactor(request.actor);
      const envelope = request.envelope("settings", request.body);
      const what = { changes: omitUndefined(changes), seen, admins: await admins() };
      const command = { type: "ChangeSettings", ...what } as const;
      const changed = await handler.execute(settingsAggregate, command, envelope);
      const { state, revision, position } = changed;
      // Applies in this process before the reply, and in others soon after.
      await follower.read();
      const data = { ...settingsAt(state, Date.parse(envelope.caller.now)), revision };
      return succeed(data, { message: CHANGE_SETTINGS.done, position });
    },
  });
}

/**
 * Refuses an admin without a second factor, who could lock themselves out with this rule.
 * @throws {DomainError} `second_factor_required`
 */
function refuseWithoutFactor(actor: Actor): void {
  if (actor.lacksFactor)
    throw new DomainError(
      "second_factor_required",
      "Set up two-factor authentication for your own account first. Then you can decide whether staff need it.",
    );
}

/** Stream, key, fold and decider of the settings. */
export const settingsAggregate: Aggregate<SettingsState, SettingsCommand> = {
  stream: streams.settings,
  subjects: { content: subjects.settings },
  bodySubjects: [subjects.settings],
  clientSubject: (caller) => ownSubject(caller) ?? subjects.settings,
  newSubjects: () => [{ subject: subjects.settings }],
  evolve: evolveSettings,
  decide: decideSettings,
};

/** Bounds for Retry-After in seconds, and its value if the end is unknown. */
const RETRY_SECONDS = { unknown: 600, least: 30, most: 3600 };

/** Routes that keep working: how staff get in, and how anyone ends a session or unsubscribes. */
const ALLOWED_IN_MAINTENANCE: ReadonlySet<string> = new Set([
  "/prod/api/auth/login",
  "/prod/api/auth/login/two-factor",
  "/prod/api/auth/logout",
  "/prod/api/auth/prove",
  "/prod/api/auth/refresh",
  "/prod/api/auth/sign-in-link/:token",
  "/prod/api/unsubscribe/:token",
]);

/** The refusal during maintenance. */
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

/** Refuses writes by anyone except staff during maintenance. */
export function refuseInMaintenance(
  app: ServiceInstance,
  { settings, now }: { readonly settings: () => Settings; readonly now: () => Date },
): void {
  // Runs before the body is read, when the caller is already known.
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
  return !ALLOWED_IN_MAINTENANCE.has(routeOptions.url ?? "");
}
