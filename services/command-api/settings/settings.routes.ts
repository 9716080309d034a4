import type { FastifyRequest } from "fastify";
import { DomainError } from "#contracts/domain-error.ts";
import { streams } from "#contracts/events/index.ts";
import { evolveSettings, type SettingsState } from "#contracts/events/settings/settings-fold.ts";
import { given } from "#contracts/given.ts";
import { ChangeSettings, SettingsChangedReply } from "#contracts/http/settings.ts";
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

/** The route by which admins change the settings. */
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
      const what = { changes: given(changes), seen, admins: await admins() };
      const command = { type: "ChangeSettings", ...what } as const;
      const changed = await handler.execute(settingsAggregate, command, envelope);
      const { state, revision, position } = changed;
      // It applies in this process before the reply, in others soon after.
      await follower.read();
      const data = { ...settingsAt(state, Date.parse(envelope.caller.now)), revision };
      return succeed(data, { message: CHANGE_SETTINGS.done, position });
    },
  });
}

/**
 * Anyone who has no second factor could lock themselves out of the next step with this rule.
 * @throws {DomainError} `second_factor_required`
 */
function refuseWithoutFactor(actor: Actor): void {
  if (actor.lacksFactor)
    throw new DomainError(
      "second_factor_required",
      "Set up two-factor authentication for your own account first. Then you can decide whether staff need it.",
    );
}

/** The stream, key, fold and decider of the settings. */
export const settingsAggregate: Aggregate<SettingsState, SettingsCommand> = {
  stream: streams.settings,
  subjects: { content: subjects.settings },
  bodySubjects: [subjects.settings],
  clientSubject: (caller) => ownSubject(caller) ?? subjects.settings,
  newSubjects: () => [{ subject: subjects.settings }],
  evolve: evolveSettings,
  decide: decideSettings,
};

/** Seconds after which a client may try again when no end is named, and the most that it is told. */
const RETRY_SECONDS = { unknown: 600, least: 30, most: 3600 };

/** What goes on: how staff get in, and how anyone gets out, of a session or of emails. */
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
