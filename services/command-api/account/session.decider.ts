import type { OpenData } from "#contracts/events/definition.ts";
import type { SessionEvent } from "#contracts/events/index.ts";
import type { SessionEnded, SessionStarted, SessionState } from "#contracts/events/session.ts";
import type { Moment } from "../kernel/command.ts";

/** Maximum lifetime of a session, however much it is used. */
const LIFE_MS = 90 * 24 * 3_600_000;

/** Decides all commands about a session except those that end it; see `Credentials`. */
export function decideSession(
  state: SessionState | undefined,
  command: SessionCommand,
  moment: Moment,
): SessionEvent[] {
  switch (command.type) {
    case "SignIn":
      return begin(state, command.begins, moment);
    case "RefreshSession":
      return use(state, command.noted, moment);
    case "ProvePassword":
      return isOn(state) ? [{ type: "PasswordProved", data: {} }] : [];
  }
}

/** When a session that starts now expires at the latest. */
export function expiryOf(nowMs: number): Date {
  return new Date(nowMs + LIFE_MS);
}

/** Whether to record a use: on a different day (UTC) from the last one, or from another address or browser. */
export function isNewUse({ at, isSameClient }: LastUse, now: string): boolean {
  return !isSameClient || dayOf(at) !== dayOf(now);
}

const dayOf = (time: string) => time.slice(0, "YYYY-MM-DD".length);

function use(state: SessionState | undefined, noted: LastUse, { now }: Moment): SessionEvent[] {
  return isOn(state) && isNewUse(noted, now) ? [{ type: "SessionUsed", data: {} }] : [];
}

function begin(
  state: SessionState | undefined,
  { accountId: account_id, method = "password", device, revision: account_revision }: Beginning,
  { now }: Moment,
): SessionEvent[] {
  if (state) return [];
  const expires_at = expiryOf(Date.parse(now)).toISOString();
  const data = { account_id, method, device, account_revision, expires_at };
  return [{ type: "SessionStarted", data }];
}

function isOn(state: SessionState | undefined): boolean {
  return state !== undefined && !state.ended;
}

export interface Beginning {
  readonly accountId: string;
  /** `password` when absent. */
  readonly method?: OpenData<typeof SessionStarted>["method"];
  readonly device: OpenData<typeof SessionStarted>["device"];
  /** Revision of the account at which its credentials were checked. */
  readonly revision: number;
}

/** The last start or use of a session that was recorded in the log. */
export interface LastUse {
  /** RFC 3339, UTC, milliseconds. */
  readonly at: string;
  /** Whether the current use comes from the same address and browser. */
  readonly isSameClient: boolean;
}

/** Why a session ended without an admin's command. */
export type EndCause = Exclude<OpenData<typeof SessionEnded>["cause"], "ended_by_admin">;

/** Commands about a session. */
export type SessionCommand =
  | { readonly type: "SignIn"; readonly begins: Beginning }
  | { readonly type: "RefreshSession"; readonly noted: LastUse }
  | { readonly type: "ProvePassword" };
