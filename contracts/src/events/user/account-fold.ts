import { omitUndefined } from "../../omit-undefined.ts";
import type { UserEvent } from "../index.ts";
import type { OneTimeLink } from "../one-time-link.ts";
import type { AccountEnd, AccountProfile, AccountState, SecondFactor } from "./account-state.ts";

export type { AccountState } from "./account-state.ts";

/** State after the first event, and again after a confirmation that dropped everything. */
const FRESH = {
  formerEmails: [],
  deviceConfirmations: [],
  emailConfirmations: [],
  passwordResets: [],
  undos: [],
  notifications: { decisions: true, same_person: false, weekly_summary: false },
} as const;

/** Events that change what staff see of an account. Decisions based on an earlier view may be stale. */
export const CHANGES_FACTS: ReadonlySet<string> = new Set([
  "EmailConfirmed",
  "EmailChanged",
  "EmailChangeUndone",
  "ProfileEdited",
  "PasswordReset",
  "AccountBanned",
  "AccountUnbanned",
  "AccountRoleChanged",
  "AccountClosed",
  "AccountReopened",
] satisfies UserEvent["type"][]);

/**
 * Applies one event of the account's stream.
 * @throws {Error} if the stream does not begin with the account's creation.
 */
export function evolveAccount(state: AccountState | undefined, event: UserEvent): AccountState {
  if (state) {
    const revision = state.revision + 1;
    const factsRevision = CHANGES_FACTS.has(event.type) ? revision : state.factsRevision;
    return { ...evolve(state, event), revision, factsRevision };
  }
  const first = { revision: 0, factsRevision: 0, over: undefined, ends: [], ...FRESH };
  if (event.type === "AccountAdded") {
    const { role, account } = event.data;
    const wasStaff = role !== "user";
    return { ...first, role, wasStaff, profile: profileOf(account), confirmed: true };
  }
  if (event.type === "AccountInvited") {
    const { role, account, link } = event.data;
    const asReset = { ...link, delivery: "mail", device: "known" } as const;
    return {
      ...first,
      role,
      wasStaff: role !== "user",
      profile: profileOf(account),
      confirmed: false,
      invitation: link,
      passwordResets: [asReset],
    };
  }
  if (event.type === "AccountRegistered") {
    const { account, link } = event.data;
    const emailConfirmations = [link];
    return {
      ...first,
      role: "user",
      wasStaff: false,
      profile: profileOf(account),
      confirmed: false,
      emailConfirmations,
    };
  }
  throw new Error(`${event.type} comes before the account's first event`);
}

function evolve(state: AccountState, event: UserEvent): AccountState {
  switch (event.type) {
    case "EmailConfirmationRequested":
      return { ...state, emailConfirmations: [...state.emailConfirmations, event.data.link] };
    case "EmailConfirmed":
      return confirm(state, event.data);
    case "RegistrationAttempted":
      return { ...state, quietUntil: event.data.quiet_until };
    case "AccountReplaced": {
      // A link of the previous account proves access to the address.
      const { emailConfirmations } = state;
      return {
        ...finish(state, "replaced"),
        emailConfirmations,
        replacedBy: event.data.replaced_by,
      };
    }
    case "AccountExpired":
      return finish(state, "expired");
    case "AccountErased":
      return finish(state, "erased");
    case "AccountClosed": {
      const { by, erase_at } = event.data;
      const closed = { byOwner: by === "owner", ...omitUndefined({ eraseAt: erase_at }) };
      return endSessions({ ...state, closed });
    }
    case "AccountReopened": {
      const { closed: _, emailChange: __, ...open } = state;
      return { ...open, passwordResets: [], deviceConfirmations: [] };
    }
    case "AccountBanned": {
      const { until, reason_code: code, account } = event.data;
      return {
        ...state,
        banned: { reason: account?.reason ?? null, ...omitUndefined({ until, code }) },
      };
    }
    case "AccountUnbanned":
      return unbanned(state);
    case "AccountRoleChanged": {
      const { to: role } = event.data;
      // No one has acted under an open invitation yet.
      const acted = state.wasStaff && state.confirmed;
      return { ...state, role, wasStaff: acted || role !== "user" };
    }
    case "PasswordReset":
      return endSessions({ ...unbanned(state), passwordResets: [] });
    case "SessionsEnded":
      return endSessions(state, event.data.kept_session_id);
    case "PasswordResetRequested": {
      const { link, delivery, device } = event.data;
      return { ...state, passwordResets: [...state.passwordResets, { ...link, delivery, device }] };
    }
    case "PasswordChanged": {
      if (event.data.by !== "reset_link") return { ...state, passwordResets: [] };
      const { emailChange: _, ...kept } = state;
      return { ...kept, passwordResets: [], deviceConfirmations: [] };
    }
    case "ProfileEdited": {
      const { account } = event.data;
      const { email } = state.profile ?? {};
      return { ...state, profile: account && email ? profileOf({ ...account, email }) : null };
    }
    case "NotificationsSet": {
      const { by: _, ...set } = event.data;
      return { ...state, notifications: { ...state.notifications, ...omitUndefined(set) } };
    }
    case "DeviceConfirmationRequested":
      return { ...state, deviceConfirmations: [...state.deviceConfirmations, event.data.link] };
    case "DeviceConfirmed": {
      const { link_id } = event.data;
      return { ...state, deviceConfirmations: without(state.deviceConfirmations, link_id) };
    }
    default:
      return evolveSecurity(state, event);
  }
}

/** Changes of address and the second factor. */
function evolveSecurity(state: AccountState, event: UserEvent): AccountState {
  switch (event.type) {
    case "EmailChangeRequested": {
      const { link, account } = event.data;
      return { ...state, emailChange: { link, email: account?.email ?? null } };
    }
    case "EmailChangeWithdrawn": {
      const { emailChange: _, ...kept } = state;
      return kept;
    }
    case "EmailChanged": {
      const { undo_link: link, account } = event.data;
      const undo = {
        link,
        formerEmail: account?.former_email ?? null,
        revision: state.revision + 1,
        notifications: state.notifications,
      };
      return { ...withAddress(state, account?.email), undos: [...state.undos, undo] };
    }
    case "EmailChangeUndone": {
      const { link_id, two_factor, account } = event.data;
      const undone = state.undos.findIndex(({ link }) => link.link_id === link_id);
      const undos = state.undos.slice(0, Math.max(undone, 0));
      // Reopened if its owner had closed it.
      const { closed, ...open } = withAddress(state, account?.email);
      const kept = closed && !closed.byOwner ? { ...open, closed } : open;
      if (two_factor === "kept") return { ...kept, undos };
      const { secondFactor: __, ...plain } = kept;
      return { ...plain, undos };
    }
    case "TwoFactorEnabled": {
      const { factor_id: factorId, codes_id: codesId, recovery_codes: codes } = event.data;
      return { ...state, secondFactor: factor(state, { factorId, codesId, codes }) };
    }
    case "RecoveryCodesReplaced": {
      const { codes_id: codesId, recovery_codes: codes } = event.data;
      const { factorId } = state.secondFactor ?? {};
      if (!factorId) return state;
      return { ...state, secondFactor: factor(state, { factorId, codesId, codes }) };
    }
    case "RecoveryCodeUsed": {
      const { secondFactor } = state;
      if (!secondFactor) return state;
      const used = [...secondFactor.used, event.data.code];
      return { ...state, secondFactor: { ...secondFactor, used } };
    }
    case "TwoFactorDisabled":
    case "TwoFactorReset": {
      const { secondFactor: _, ...kept } = state;
      return kept;
    }
    default:
      return state;
  }
}

function confirm(
  state: AccountState,
  {
    dropped,
    account,
  }: { readonly dropped: boolean; readonly account?: { email: string } | null | undefined },
): AccountState {
  if (!dropped) {
    const { invitation: _, ...kept } = state;
    return { ...kept, confirmed: true, emailConfirmations: [] };
  }
  const { role, wasStaff, banned, revision, factsRevision, over, ends } = state;
  const profile = account ? { email: account.email, first_name: "", last_name: "" } : null;
  const access = { role, wasStaff, ...omitUndefined({ banned }) };
  return {
    ...access,
    revision,
    factsRevision,
    over,
    ends,
    ...FRESH,
    profile,
    confirmed: true,
  };
}

/** Keeps only what shows how the account ended. */
function finish(state: AccountState, over: AccountEnd): AccountState {
  const { role, wasStaff, revision, factsRevision, confirmed, ends } = endSessions(state);
  const kept = { role, wasStaff, revision, factsRevision, confirmed, ends };
  return { ...kept, ...FRESH, profile: null, over };
}

function unbanned({ banned: _, ...kept }: AccountState): AccountState {
  return kept;
}

function endSessions(state: AccountState, kept?: string): AccountState {
  const end = { revision: state.revision + 1, ...omitUndefined({ kept }) };
  return { ...state, ends: [...state.ends, end] };
}

/** Returns the account with another address. Links emailed to the previous one are void. */
function withAddress(state: AccountState, email: string | undefined): AccountState {
  const { emailChange: _, ...kept } = state;
  const profile = state.profile && email ? { ...state.profile, email } : null;
  const left = state.confirmed && state.profile ? [state.profile.email] : [];
  return {
    ...kept,
    profile,
    formerEmails: [...new Set([...state.formerEmails, ...left])],
    passwordResets: [],
    deviceConfirmations: [],
    emailConfirmations: [],
  };
}

function factor(
  state: AccountState,
  named: Pick<SecondFactor, "factorId" | "codesId" | "codes">,
): SecondFactor {
  return { ...named, used: [], since: state.revision + 1 };
}

function without(links: readonly OneTimeLink[], id: string): readonly OneTimeLink[] {
  return links.filter(({ link_id }) => link_id !== id);
}

type Stored = Partial<AccountProfile> & { readonly email: string };

function profileOf(account: Stored | null | undefined): AccountProfile | null {
  if (!account) return null;
  const { email, first_name = "", last_name = "" } = account;
  const { phone, company, website, job_title, bio } = account;
  return {
    email,
    first_name,
    last_name,
    ...omitUndefined({ phone, company, website, job_title, bio }),
  };
}
