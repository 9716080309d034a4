import { userStatus } from "#contracts/account/account-messages.ts";
import type { UserEvent } from "#contracts/events/index.ts";
import { type AccountState, evolveAccount } from "#contracts/events/user/account-fold.ts";
import type { SecondFactor } from "#contracts/events/user/account-state.ts";
import { maskEmail, maskPhone } from "#contracts/report/masks.ts";
import type { EventStore, StoredEvent } from "#event-store/port.ts";
import { START } from "#event-store/port.ts";
import type { SealedAccountPart } from "#read-model/tables/account.ts";
import type { KeyStore } from "#vault/keys/key-store.ts";
import { registryCodec } from "#vault/sealing/event-codec.ts";

/** What a row must contain, with the sealed parts opened. */
export type ExpectedRow = Readonly<Record<string, unknown>>;

interface Known {
  state?: AccountState;
  first: StoredEvent;
  signedIn: Date | null;
  confirmedAt: Date | null;
  ownsAfter: string;
}

/**
 * Computes the rows of `accounts.account` and `users.user` by folding every account as the command side
 * does, without any code of the projector.
 */
export async function foldAccounts(
  store: EventStore,
  keys: KeyStore,
): Promise<{ accounts: ExpectedRow[]; users: ExpectedRow[] }> {
  const log: StoredEvent[] = [];
  for await (const event of store.readAll()) log.push(event);
  const lookups = await keys.get(registryCodec.subjectsOf(log));
  const known = new Map<string, Known>();
  for (const stored of log) {
    const { stream, type, data, position, metadata } = stored;
    if (type === "SessionStarted") {
      const account = known.get(String(data.account_id ?? stream.slice("user-".length)));
      if (account) account.signedIn = new Date(metadata.time);
    }
    if (!stream.startsWith("user-")) continue;
    const id = stream.slice("user-".length);
    const account = known.get(id) ?? {
      first: stored,
      signedIn: null,
      confirmedAt: null,
      ownsAfter: START,
    };
    known.set(id, account);
    const event = registryCodec.openEvent(stored, lookups) as UserEvent;
    account.state = evolveAccount(account.state, event);
    if (event.type === "EmailConfirmed" && event.data.dropped) {
      account.ownsAfter = position;
      account.signedIn = null;
      account.confirmedAt = null;
    }
    if (account.state.confirmed) account.confirmedAt ??= new Date(metadata.time);
  }
  return {
    accounts: [...known].map(([id, account]) => expectedRow(id, account)).toSorted(byId),
    users: [...known].flatMap(([id, account]) => expectedUser(id, account)).toSorted(byId),
  };
}

function expectedRow(id: string, known: Known): ExpectedRow {
  const { state, first, signedIn, confirmedAt, ownsAfter } = known;
  if (!state) throw new Error("no event");
  const { email, ...profile } = state.profile ?? {};
  return {
    id,
    role: state.role,
    status: state.over ?? (state.closed ? "closed" : "active"),
    confirmed: state.confirmed,
    confirmed_at: confirmedAt,
    two_factor: state.secondFactor !== undefined,
    recovery_codes_left: state.secondFactor ? codesLeft(state.secondFactor) : null,
    notifications: state.notifications,
    created_at: new Date(first.metadata.time),
    last_sign_in_at: state.over ? null : signedIn,
    erase_at: state.closed?.eraseAt ? new Date(state.closed.eraseAt) : null,
    owns_after: ownsAfter,
    email,
    former_addresses: state.formerEmails.toSorted(),
    wanted: state.emailChange?.email ?? undefined,
    wanted_until: state.emailChange ? new Date(state.emailChange.link.expires_at) : null,
    profile: named(profile),
  };
}

function expectedUser(id: string, { state, first, signedIn }: Known): ExpectedRow[] {
  if (!state || state.over) return [];
  const { email, first_name, last_name, phone } = state.profile ?? {};
  return [
    {
      id,
      role: state.role,
      status: userStatus(state),
      confirmed: state.confirmed,
      closed_by: state.closed ? (state.closed.byOwner ? "owner" : "staff") : null,
      until: state.banned?.until ?? null,
      banned: state.banned !== undefined,
      erase_at: state.closed?.eraseAt ? new Date(state.closed.eraseAt) : null,
      first_name: first_name ?? "",
      last_name: last_name ?? "",
      email: email === undefined ? "" : maskEmail(email),
      phone: phone === undefined ? null : maskPhone(phone),
      two_factor: state.secondFactor !== undefined,
      created_at: new Date(first.metadata.time),
      last_sign_in_at: signedIn,
      facts_revision: state.factsRevision,
    },
  ];
}

function codesLeft({ codes, used }: SecondFactor): number {
  return Math.max(codes - used.length, 0);
}

/** Leaves out empty names, which mean the same as absent ones. */
function named(profile: object): object {
  return Object.fromEntries(Object.entries(profile).filter(([, value]) => value !== ""));
}

function byId(a: ExpectedRow, b: ExpectedRow): number {
  return String(a.id) < String(b.id) ? -1 : 1;
}

type Rows = <T extends object>(text: string) => Promise<T[]>;

/** Reads the current table in the form of {@link foldAccounts}. */
export async function readAccounts(rows: Rows, keys: KeyStore): Promise<ExpectedRow[]> {
  const found = await rows<{
    id: string;
    profile: SealedAccountPart | null;
    address: SealedAccountPart | null;
    former_addresses: readonly SealedAccountPart[];
    wanted: SealedAccountPart | null;
  }>("select * from accounts.account order by id");
  const opened = found.map(async ({ profile, address, wanted, ...row }) => ({
    ...row,
    email: (await opens(row.id, address, keys)).email,
    former_addresses: await allOf(row.former_addresses.map((part) => opens(row.id, part, keys))),
    wanted: (await opens(row.id, wanted, keys)).email,
    profile: profileOf(await opens(row.id, profile, keys)),
  }));
  return Promise.all(opened);
}

/** Returns the addresses, each once. */
async function allOf(parts: readonly Promise<{ readonly email?: string }>[]): Promise<string[]> {
  const emails = (await Promise.all(parts)).flatMap(({ email }) => email ?? []);
  return [...new Set(emails)].toSorted();
}

async function opens(
  accountId: string,
  part: SealedAccountPart | null,
  keys: KeyStore,
): Promise<{ readonly email?: string }> {
  if (!part) return {};
  const { event_id: id, event_type: type, schema_version: schemaVersion, account } = part;
  const stored = { id, stream: `user-${accountId}`, type, data: { account: { ...account } } };
  const lookups = await keys.get([account.key]);
  const { data } = registryCodec.openEvent({ ...stored, metadata: { schemaVersion } }, lookups);
  return (data as { account?: object | null }).account ?? {};
}

function profileOf(opened: object): object {
  const others = ["email", "former_email", "blind"];
  return named(
    Object.fromEntries(Object.entries(opened).filter(([name]) => !others.includes(name))),
  );
}

/** Counts the accounts that have not ended, one by one, by the day of their first event. */
export function registrationsByDay(accounts: readonly ExpectedRow[]): Record<string, number> {
  const days: Record<string, number> = {};
  for (const { status, created_at } of accounts) {
    const day = (created_at as Date).toISOString().slice(0, 10);
    if (status === "active" || status === "closed") days[day] = (days[day] ?? 0) + 1;
  }
  return days;
}

/** Reads the current tables in the form of {@link registrationsByDay}. */
export async function readRegistrations(rows: Rows): Promise<Record<string, number>> {
  const days = await rows<{ day: string; registered: number }>(
    "select day::text, registered from accounts.figure_day",
  );
  return Object.fromEntries(days.map(({ day, registered }) => [day, registered]));
}

/** Reads the current users table in the form of {@link foldAccounts}. */
export async function readUsers(rows: Rows): Promise<ExpectedRow[]> {
  const found = await rows<{ ban: { until: string | null } | null }>(
    "select * from users.user order by id",
  );
  return found.map(({ ban, ...row }) => {
    const { email_blind: _, owns_after: __, ...shown } = row as Record<string, unknown>;
    return { ...shown, banned: ban !== null, until: ban?.until ?? null };
  });
}
