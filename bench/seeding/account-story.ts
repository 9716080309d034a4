import { streams, type UserEvent } from "#contracts/events/index.ts";
import { TERMS_VERSION } from "#contracts/report/words.ts";
import { subjects } from "#contracts/sealed.ts";
import type { BlindIndexer } from "#vault/sealing/blind-index.ts";
import type { Act } from "./history.ts";
import type { Random } from "./random.ts";

const VISITOR = { id: "visitor", role: "visitor" } as const;
const SYSTEM = { id: "system", role: "system" } as const;
const HOUR_MS = 3_600_000;

/**
 * Acts of accounts without rights: one that registers, sets itself up and closes; one whose address
 * is registered a second time; and one that nobody confirms.
 * @param n number of the story; addresses are made from it.
 */
export function accountActs(random: Random, n: number, time: string, blind: BlindIndexer): Act[] {
  const acts: Act[] = [];
  const write = (id: string, actor: Act["actor"], ...events: UserEvent[]) =>
    acts.push({
      stream: streams.user(id),
      events,
      actor,
      time,
      needs: [subjects.account(id)],
      destroys: events.some(({ type }) => ENDS.has(type)) ? [subjects.account(id)] : [],
    });
  const link = () => ({ link_id: random.uuid(), expires_at: after(time, 24) });
  const addressed = (email: string) => ({
    email,
    blind: { email: blind("reporter_email", email) },
  });
  const registered = (email: string): UserEvent => ({
    type: "AccountRegistered",
    data: {
      terms_version: TERMS_VERSION,
      link: link(),
      account: { ...addressed(email), first_name: "Uma", last_name: "Reed" },
    },
  });
  const [id, replaced] = [random.uuid(), random.uuid()];
  const [expired, invited] = [random.uuid(), random.uuid()];
  const owner = { id, role: "user" } as const;
  const [email, other] = [`u${n}@mailbox.example`, `u${n}@shop.example`];
  write(replaced, VISITOR, registered(email));
  write(replaced, VISITOR, { type: "AccountReplaced", data: { replaced_by: id } });
  write(id, VISITOR, registered(email));
  write(id, owner, { type: "EmailConfirmationRequested", data: { link: link() } });
  write(id, owner, {
    type: "EmailConfirmed",
    data: { by: "link", link_id: random.uuid(), dropped: false, account: addressed(email) },
  });
  write(id, VISITOR, { type: "RegistrationAttempted", data: { quiet_until: after(time, 24) } });
  write(id, VISITOR, {
    type: "PasswordResetRequested",
    data: { link: link(), delivery: "mail", device: "unknown" },
  });
  const ended = (cause: Extract<UserEvent, { type: "SessionsEnded" }>["data"]["cause"]) =>
    ({ type: "SessionsEnded", data: { cause } }) as const;
  write(
    id,
    VISITOR,
    { type: "PasswordChanged", data: { by: "reset_link", link_id: random.uuid() } },
    ended("password_changed"),
  );
  write(id, owner, {
    type: "ProfileEdited",
    data: { fields: ["bio"], account: { first_name: "Uma", last_name: "Reed", bio: "Lamps" } },
  });
  write(id, owner, { type: "NotificationsSet", data: { by: "owner", weekly_summary: true } });
  const codes = { codes_id: random.uuid(), recovery_codes: 10 };
  const factor_id = random.uuid();
  const enabled = {
    type: "TwoFactorEnabled",
    data: { factor_id, method: "totp", ...codes },
  } as const;
  write(id, owner, enabled, ended("two_factor_changed"));
  write(id, owner, { type: "RecoveryCodeUsed", data: { codes_id: codes.codes_id, code: 1 } });
  write(id, owner, { type: "RecoveryCodesReplaced", data: codes });
  write(id, owner, { type: "TwoFactorDisabled", data: { factor_id } }, ended("two_factor_changed"));
  write(id, owner, enabled, ended("two_factor_changed"));
  const [request_id, requested_by] = [random.uuid(), random.uuid()];
  const asked = { request_id, factor_id, requested_by, effective_at: after(time, 24) };
  const account = { reason: "Lost phone and codes" };
  write(id, SYSTEM, { type: "TwoFactorResetRequested", data: { ...asked, account } });
  const objected = { request_id, objected_by: requested_by };
  write(id, SYSTEM, { type: "TwoFactorResetObjected", data: objected });
  const reset = { factor_id, told: [random.uuid()], account };
  write(id, SYSTEM, { type: "TwoFactorReset", data: reset }, ended("two_factor_changed"));
  const requested = {
    type: "EmailChangeRequested",
    data: { link: link(), account: { email: other } },
  } as const;
  write(id, owner, requested);
  write(id, owner, { type: "EmailChangeWithdrawn", data: {} });
  write(id, owner, requested);
  const change = { ...addressed(other), former_email: email };
  const undo_link = link();
  const { link_id } = requested.data.link;
  write(
    id,
    VISITOR,
    { type: "EmailChanged", data: { link_id, undo_link, account: change } },
    ended("email_changed"),
  );
  const undone = {
    link_id: undo_link.link_id,
    two_factor: "kept",
    account: addressed(email),
  } as const;
  write(id, VISITOR, { type: "EmailChangeUndone", data: undone }, ended("email_changed"));
  write(id, owner, { type: "AccountDataExported", data: {} });
  const told = [random.uuid()];
  const banned = { until: after(time, 720), account: { reason: "Made reports up" } };
  write(id, SYSTEM, { type: "AccountBanned", data: banned }, ended("banned"));
  write(id, SYSTEM, { type: "AccountUnbanned", data: { by: "end" } });
  for (const [from, to] of [
    ["user", "auditor"],
    ["auditor", "user"],
  ] as const)
    write(
      id,
      SYSTEM,
      { type: "AccountRoleChanged", data: { from, to, told } },
      ended("role_changed"),
    );
  write(id, SYSTEM, { type: "AccountClosed", data: { by: "admin" } });
  write(id, SYSTEM, { type: "AccountReopened", data: { by: "admin", told } });
  write(id, owner, { type: "AccountClosed", data: { by: "owner", erase_at: after(time, 1) } });
  acts.push({
    stream: streams.access(random.uuid()),
    events: [{ type: "AccountDataViewed", data: { account_id: id, revision: 0 } }],
    actor: SYSTEM,
    time,
    needs: [],
    destroys: [],
  });
  acts.push({
    stream: streams.access(random.uuid()),
    events: [{ type: "ListExported", data: { list: "reports", format: "csv", rows: 250 } }],
    actor: SYSTEM,
    time,
    needs: [],
    destroys: [],
  });
  write(expired, VISITOR, registered(other));
  write(expired, SYSTEM, { type: "AccountExpired", data: {} });
  const names = { first_name: "Ida", last_name: "Reed" };
  const invitee = { ...addressed(other), ...names };
  write(invited, SYSTEM, {
    type: "AccountInvited",
    data: { role: "user", link: link(), account: invitee },
  });
  write(invited, SYSTEM, { type: "AccountExpired", data: {} });
  return acts;
}

/** Events with which an account's key is destroyed. */
const ENDS: ReadonlySet<string> = new Set(["AccountReplaced", "AccountExpired"]);

function after(time: string, hours: number): string {
  return new Date(Date.parse(time) + hours * HOUR_MS).toISOString();
}
