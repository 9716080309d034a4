import { streams, type UserEvent } from "#contracts/events/index.ts";
import { type AccountState, evolveAccount } from "#contracts/events/user/account-fold.ts";
import type { ExportedAccount, ExportedEvent } from "#contracts/http/account-export.ts";
import { omitUndefined } from "#contracts/omit-undefined.ts";
import { subjects } from "#contracts/sealed.ts";
import { type Position, START, type StoredEvent } from "#event-store/port.ts";
import type { StreamDeps } from "#vault/open-stream.ts";
import type { UndoneChange } from "../account/account.eraser.ts";
import { type Account, toUser } from "../account/account.store.ts";
import type { Step } from "./export-page.ts";
import { type PlaceOwner, placeOf } from "./exported-place.ts";

/** An account as of its stream, and which part of its past belongs to the owner. */
export interface AccountPast extends PlaceOwner {
  /** After all events; undefined if there are none. */
  readonly state: AccountState | undefined;
  /** Anything before this position is excluded: an address confirmation dropped it. */
  readonly since: Position;
  /** Revision of that confirmation; -1 if there was none. */
  readonly sinceRevision: number;
  /** Times of the revisions that changed the address or ended sessions. */
  readonly times: ReadonlyMap<number, string>;
}

/** Reads the account's stream one event at a time, so its length doesn't matter. */
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

/** The account's current state for the export. */
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
      ...omitUndefined({ recovery_codes_left: left }),
    },
    // Excludes undone changes, whose address was never the owner's.
    former_emails: undos.flatMap(({ formerEmail, revision }) => {
      const until = times.get(revision);
      return formerEmail && until ? [{ email: formerEmail, until }] : [];
    }),
    ...(link && wanted ? { email_change: { email: wanted, expires_at: link.expires_at } } : {}),
  };
}

/** The account's events, oldest first, since the last confirmation that dropped data. @param after last revision. */
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
