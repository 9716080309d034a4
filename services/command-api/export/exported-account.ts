import { streams, type UserEvent } from "#contracts/events/index.ts";
import { type AccountState, evolveAccount } from "#contracts/events/user/account-fold.ts";
import { given } from "#contracts/given.ts";
import type { ExportedAccount, ExportedEvent } from "#contracts/http/account-export.ts";
import { subjects } from "#contracts/sealed.ts";
import { type Position, START, type StoredEvent } from "#event-store/port.ts";
import type { StreamDeps } from "#vault/open-stream.ts";
import type { UndoneChange } from "../account/account.eraser.ts";
import { type Account, toUser } from "../account/account.store.ts";
import type { Step } from "./export-page.ts";
import { type PlaceOwner, placeOf } from "./exported-place.ts";

/** An account as its stream tells, and what of its past is its owner's. */
export interface AccountPast extends PlaceOwner {
  /** After all of its events; undefined before the first. */
  readonly state: AccountState | undefined;
  /** What came before this position belongs to no one: a confirmation of the address dropped it. */
  readonly since: Position;
  /** Revision of that confirmation; -1 when there was none. */
  readonly sinceRevision: number;
  /** When each revision came at which the address changed, or sessions ended. */
  readonly times: ReadonlyMap<number, string>;
}

/** Reads the account's stream event by event, however long it is. */
export async function readAccount(id: string, deps: StreamDeps): Promise<AccountPast> {
  const { store, keys, codec } = deps;
  const found = await keys.get([subjects.account(id)]);
  const changed = new Map<string, Position>();
  const undone: UndoneChange[] = [];
  const times = new Map<number, string>();
  let state: AccountState | undefined;
  let since = START;
  let sinceRevision = -1;
  for await (const stored of store.readStream(streams.user(id))) {
    const event = codec.openEvent(stored, found) as UserEvent;
    const { position, revision, metadata } = stored;
    const before = state?.ends.length ?? 0;
    state = evolveAccount(state, event);
    if (event.type === "EmailConfirmed" && event.data.dropped) {
      since = position;
      sinceRevision = revision;
    }
    if (event.type === "EmailChanged" || state.ends.length > before)
      times.set(revision, metadata.time);
    if (event.type === "EmailChanged") changed.set(event.data.undo_link.link_id, position);
    const from = event.type === "EmailChangeUndone" ? changed.get(event.data.link_id) : undefined;
    if (from !== undefined) undone.push({ from, to: position });
  }
  return { id, state, since, sinceRevision, times, undone };
}

/** What the account is, as its history says. */
export function exportedAccount(
  account: Account,
  { profile, emailChange, notifications, secondFactor, undos }: AccountState,
  times: AccountPast["times"],
): Omit<ExportedAccount, "exported_at"> {
  const { email = "", ...words } = profile ?? { first_name: "", last_name: "" };
  const left = secondFactor && secondFactor.codes - secondFactor.used.length;
  const { link, email: wanted } = emailChange ?? {};
  return {
    account: {
      ...toUser(account, email, words),
      preferences: notifications,
      ...given({ recovery_codes_left: left }),
    },
    // An undone change is not among them: its address never was the owner's.
    former_emails: undos.flatMap(({ formerEmail, revision }) => {
      const until = times.get(revision);
      return formerEmail && until ? [{ email: formerEmail, until }] : [];
    }),
    ...(link && wanted ? { email_change: { email: wanted, expires_at: link.expires_at } } : {}),
  };
}

/** The account's events, oldest first, but none before a confirmation that dropped all. @param after last revision. */
export async function* exportedHistory(
  past: AccountPast,
  after: string,
  { store, keys }: StreamDeps,
): AsyncGenerator<Step<ExportedEvent>> {
  const found = await keys.get([subjects.account(past.id)]);
  const from = after === "" ? Math.max(past.sinceRevision, 0) : Number(after) + 1;
  for await (const stored of store.readStream(streams.user(past.id), from))
    yield {
      cursor: String(stored.revision),
      item: {
        event: stored.type,
        at: stored.metadata.time,
        by: doneBy(stored, past.id),
        ...placeOf(stored, past, found),
      },
    };
}

function doneBy({ type, data, metadata }: StoredEvent, id: string): ExportedEvent["by"] {
  const { actor } = metadata;
  if (actor.id === id) return "you";
  if (actor.role === "system") return "system";
  if (actor.role !== "visitor") return "staff";
  const isTyped =
    type === "RegistrationAttempted" ||
    (type === "PasswordResetRequested" && data.delivery === "mail");
  return isTyped ? "anybody" : "you";
}
