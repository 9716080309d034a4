import type { AccountEnd } from "#contracts/events/user/account-state.ts";
import type { Sealed } from "#contracts/sealed.ts";
import { START, type StoredEvent } from "#event-store/port.ts";
import { LOG_STREAM } from "#event-store/store-log.ts";
import { projectedSchemas } from "#read-model/install.ts";
import {
  type AccountTable,
  PREVIOUS_ADDRESSES,
  type SealedAccountPart,
} from "#read-model/tables/account.ts";
import type { JsonRow } from "#read-model/tables/column-types.ts";
import type { Projection } from "../../daemon/projection.ts";
import { keyedProjection } from "../../keyed/keyed-projection.ts";
import type { Happened, ReadModel } from "../../keyed/read-model.ts";
import type { Count, TallyTable } from "../../keyed/tallies.ts";
import { accountOf } from "../../streams.ts";

/** Each account's profile, address, notifications, second factor and last sign-in. Also counts accounts. */
export function accountsProjection(): Projection {
  return keyedProjection({
    name: "accounts",
    schema: projectedSchemas.accounts,
    models: [accounts],
    filter: { streamPrefixes: ["user-", "session-", LOG_STREAM] },
    opens: false,
    erasedBy: ENDED_BY,
  });
}

type AccountRow = JsonRow<AccountTable>;

/** Events that end an account, and the status that they give it. */
const ENDS = {
  AccountReplaced: "replaced",
  AccountExpired: "expired",
  AccountErased: "erased",
} as const satisfies Record<string, AccountEnd>;

/** Events after which an account's key is destroyed. */
const ENDED_BY = Object.keys(ENDS) as (keyof typeof ENDS)[];

/** No other address is awaiting confirmation. */
const NONE_WANTED = { wanted: null, wanted_until: null } as const;
const NO_FACTOR = { two_factor: false, recovery_codes_left: null } as const;

/** What an account has from its first event on, and again after everything is dropped. */
const FRESH = {
  status: "active",
  erase_at: null,
  ...NO_FACTOR,
  notifications: { decisions: true, same_person: false, weekly_summary: false },
  last_sign_in_at: null,
  profile: null,
  former_addresses: [],
  ...NONE_WANTED,
} as const;

/** Accounts, with the personal data from their events. Nothing sealed is opened, so a rebuild needs no keys. */
const accounts: ReadModel<AccountRow> = {
  table: { name: "account", key: "id" },
  handles: undefined,
  keyOf: ({ type, stream, data }) =>
    type === "SessionStarted" ? String(data.account_id) : accountOf(stream),
  // A session's first event is about an account that exists.
  begins: ({ stream, revision }) => revision === 0 && accountOf(stream) !== undefined,
  evolve(row, happened) {
    if (!row) return begun(happened);
    return row.status === "active" || row.status === "closed" ? changed(row, happened) : row;
  },
  figuresOf,
};

function begun({ key, event, stored }: Happened): AccountRow | undefined {
  if (
    event.type !== "AccountAdded" &&
    event.type !== "AccountRegistered" &&
    event.type !== "AccountInvited"
  )
    return undefined;
  const part = partOf(stored);
  return {
    ...FRESH,
    id: key,
    role: event.type === "AccountRegistered" ? "user" : event.data.role,
    confirmed: event.type === "AccountAdded",
    confirmed_at: event.type === "AccountAdded" ? stored.metadata.time : null,
    created_at: stored.metadata.time,
    owns_after: START,
    profile: part,
    address: part,
  };
}

function changed(row: Readonly<AccountRow>, { event, stored }: Happened): AccountRow {
  switch (event.type) {
    case "EmailConfirmed": {
      const at = event.data.dropped ? null : row.confirmed_at;
      const confirmed = { ...row, confirmed: true, confirmed_at: at ?? stored.metadata.time };
      if (!event.data.dropped) return confirmed;
      return { ...confirmed, ...FRESH, address: partOf(stored), owns_after: stored.position };
    }
    case "ProfileEdited":
      return { ...row, profile: partOf(stored) };
    case "NotificationsSet": {
      const { decisions, same_person, weekly_summary } = { ...row.notifications, ...event.data };
      return { ...row, notifications: { decisions, same_person, weekly_summary } };
    }
    case "PasswordChanged":
      return event.data.by === "reset_link" ? { ...row, ...NONE_WANTED } : row;
    case "EmailChangeRequested":
      return { ...row, wanted: partOf(stored), wanted_until: event.data.link.expires_at };
    case "EmailChangeWithdrawn":
      return { ...row, ...NONE_WANTED };
    case "EmailChanged":
      return { ...row, ...NONE_WANTED, ...movedTo(partOf(stored), row) };
    case "EmailChangeUndone": {
      const factor = event.data.two_factor === "kept" ? {} : NO_FACTOR;
      const reopened = { status: "active", erase_at: null } as const;
      return { ...row, ...NONE_WANTED, ...factor, ...reopened, ...movedTo(partOf(stored), row) };
    }
    case "TwoFactorEnabled":
      return { ...row, two_factor: true, recovery_codes_left: event.data.recovery_codes };
    case "RecoveryCodesReplaced":
      return row.two_factor ? { ...row, recovery_codes_left: event.data.recovery_codes } : row;
    case "RecoveryCodeUsed": {
      const { recovery_codes_left: left } = row;
      return left === null ? row : { ...row, recovery_codes_left: Math.max(left - 1, 0) };
    }
    case "TwoFactorDisabled":
    case "TwoFactorReset":
      return { ...row, ...NO_FACTOR };
    case "AccountClosed":
      return { ...row, status: "closed", erase_at: event.data.erase_at ?? null };
    case "AccountReopened":
      return { ...row, ...NONE_WANTED, status: "active", erase_at: null };
    case "AccountRoleChanged":
      return { ...row, role: event.data.to };
    case "AccountReplaced":
    case "AccountExpired":
    case "AccountErased":
      return { ...row, ...FRESH, status: ENDS[event.type], address: null };
    case "SessionStarted":
      return { ...row, last_sign_in_at: stored.metadata.time };
    default:
      return row;
  }
}

/** Returns an account's address after a change, with its previous addresses. */
function movedTo(
  address: SealedAccountPart,
  { confirmed, address: left, former_addresses: former }: Readonly<AccountRow>,
) {
  const known = confirmed && left ? [...former, left].slice(-PREVIOUS_ADDRESSES) : former;
  return { address, former_addresses: known };
}

function partOf({ id, type, data, metadata }: StoredEvent): SealedAccountPart {
  const account = data.account as unknown as Sealed;
  return { event_id: id, event_type: type, schema_version: metadata.schemaVersion, account };
}

const DAY: TallyTable = { name: "figure_day", keys: ["day"], sums: ["registered"] };

const ENDED: readonly AccountRow["status"][] = ["erased", "expired", "replaced"];

/** What an account adds to the tallies: nothing once it has ended. */
function figuresOf({ status, created_at }: AccountRow): Count[] {
  if (ENDED.includes(status)) return [];
  return [{ tally: DAY, key: [new Date(created_at).toISOString().slice(0, 10)], sums: [1] }];
}
