import { userStatus } from "#contracts/account/account-words.ts";
import type { UserEvent } from "#contracts/events/index.ts";
import { type AccountState, evolveAccount } from "#contracts/events/user/account-fold.ts";
import { maskEmail, maskPhone } from "#contracts/report/masks.ts";
import type { EventStore, StoredEvent } from "#event-store/port.ts";
import type { KeyStore } from "#vault/keys/key-store.ts";
import { registryCodec } from "#vault/sealing/event-codec.ts";

/** What `users.user` must hold of what the fold of an account knows. */
export type ExpectedUser = Readonly<Record<string, unknown>>;

interface Known {
  state?: AccountState;
  createdAt: string;
  signedIn: string | null;
}

/** Folds every account with the fold of the command side, and without any code of the projector. */
export async function foldUsers(store: EventStore, keys: KeyStore): Promise<ExpectedUser[]> {
  const log: StoredEvent[] = [];
  for await (const event of store.readAll()) log.push(event);
  const lookups = await keys.get(registryCodec.subjectsOf(log));
  const known = new Map<string, Known>();
  for (const stored of log) {
    const { stream, type, data, metadata } = stored;
    const isOfUser = stream.startsWith("user-");
    if (type === "SessionStarted") {
      const account = known.get(String(data.account_id ?? stream.slice("user-".length)));
      if (account) account.signedIn = metadata.time;
    }
    if (!isOfUser) continue;
    const id = stream.slice("user-".length);
    const account = known.get(id) ?? { createdAt: metadata.time, signedIn: null };
    known.set(id, account);
    const event = registryCodec.openEvent(stored, lookups) as UserEvent;
    account.state = evolveAccount(account.state, event);
    if (event.type === "EmailConfirmed" && event.data.dropped) account.signedIn = null;
  }
  return [...known].flatMap(([id, account]) => expectedRow(id, account)).toSorted(byId);
}

function expectedRow(id: string, { state, createdAt, signedIn }: Known): ExpectedUser[] {
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
      created_at: new Date(createdAt),
      last_sign_in_at: signedIn ? new Date(signedIn) : null,
      facts_revision: state.factsRevision,
    },
  ];
}

function byId(a: ExpectedUser, b: ExpectedUser): number {
  return String(a.id) < String(b.id) ? -1 : 1;
}

type Rows = <T extends object>(text: string) => Promise<T[]>;

/** The current table in the form of {@link foldUsers}. */
export async function readUsers(rows: Rows): Promise<ExpectedUser[]> {
  const found = await rows<{ ban: { until: string | null } | null }>(
    "select * from users.user order by id",
  );
  return found.map(({ ban, ...row }) => {
    const { email_blind: _, owns_after: __, ...shown } = row as Record<string, unknown>;
    return { ...shown, banned: ban !== null, until: ban?.until ?? null };
  });
}
