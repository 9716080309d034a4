import type { UserEvent } from "#contracts/events/index.ts";
import type { OneTimeLink } from "#contracts/events/one-time-link.ts";

type Of<T extends UserEvent["type"]> = Extract<UserEvent, { type: T }>["data"];

const EMAIL = "rae@shop.example";
const LATER = "2026-11-22T10:00:00.000Z";

/** A link that is valid until the second day by default. */
export function link(link_id: string, expires_at = LATER): OneTimeLink {
  return { link_id, expires_at };
}

/** Rae Holt registers, with a link `confirm-0`. */
export function accountRegistered(
  parts: {
    readonly link?: OneTimeLink;
    readonly account?: Partial<Of<"AccountRegistered">["account"]>;
  } = {},
): UserEvent {
  return {
    type: "AccountRegistered",
    data: {
      terms_version: "2026-11-21",
      link: parts.link ?? link("confirm-0"),
      account: {
        email: EMAIL,
        first_name: "Rae",
        last_name: "Holt",
        blind: { email: "keyed hash" },
        ...parts.account,
      },
    },
  };
}

/** @param dropped whether the link was opened outside the session that registered the account. */
export function emailConfirmed(
  dropped = false,
  by: Of<"EmailConfirmed">["by"] = "link",
  link_id = "confirm-0",
): UserEvent {
  const account = { email: EMAIL, blind: { email: "keyed hash" } };
  return { type: "EmailConfirmed", data: { by, link_id, dropped, account } };
}

export function emailConfirmationRequested(asked: OneTimeLink): UserEvent {
  return { type: "EmailConfirmationRequested", data: { link: asked } };
}

export function passwordResetRequested(
  asked: OneTimeLink,
  delivery: "mail" | "answer" = "mail",
  device: "known" | "unknown" = "unknown",
): UserEvent {
  return { type: "PasswordResetRequested", data: { link: asked, delivery, device } };
}

export function passwordChanged(
  by: Of<"PasswordChanged">["by"] = "owner",
  link_id?: string,
): UserEvent {
  return { type: "PasswordChanged", data: { by, ...(link_id ? { link_id } : {}) } };
}

export function sessionsEnded(
  cause: Of<"SessionsEnded">["cause"],
  kept_session_id?: string,
): UserEvent {
  return {
    type: "SessionsEnded",
    data: { cause, ...(kept_session_id ? { kept_session_id } : {}) },
  };
}

/** @param account the whole profile after the edit. */
export function profileEdited(
  fields: readonly string[],
  account: NonNullable<Of<"ProfileEdited">["account"]>,
): UserEvent {
  return { type: "ProfileEdited", data: { fields: [...fields], account } };
}

/** @param told accounts of the admins who are emailed about it. */
export function twoFactorReset(told: string[]): Extract<UserEvent, { type: "TwoFactorReset" }> {
  const factor_id = "22222222-2222-4222-8222-222222222222";
  const account = { reason: "Lost phone and codes" };
  return { type: "TwoFactorReset", data: { factor_id, told, account } };
}

/** @param account overrides for the invited person; Rae Holt by default. */
export function accountInvited(
  role: Of<"AccountInvited">["role"],
  asked: OneTimeLink,
  account: Partial<Of<"AccountInvited">["account"]> = {},
): UserEvent {
  const names = { email: EMAIL, first_name: "Rae", last_name: "Holt" };
  const data = {
    role,
    link: asked,
    account: { ...names, blind: { email: "keyed hash" }, ...account },
  };
  return { type: "AccountInvited", data };
}

/** @param until absent for a permanent ban. */
export function accountBanned(until?: string, reason = "Made reports up"): UserEvent {
  return { type: "AccountBanned", data: { ...(until ? { until } : {}), account: { reason } } };
}

/** An account of Rae Holt that an admin or the operator added. */
export function accountAdded(role: Of<"AccountAdded">["role"] = "user"): UserEvent {
  const account = { email: EMAIL, first_name: "Rae", last_name: "Holt" };
  return {
    type: "AccountAdded",
    data: { role, account: { ...account, blind: { email: "keyed hash" } } },
  };
}

/** @param erase_at absent for an account that is kept. */
export function accountClosed(by: Of<"AccountClosed">["by"], erase_at?: string): UserEvent {
  return { type: "AccountClosed", data: { by, ...(erase_at ? { erase_at } : {}) } };
}

/** @param told accounts of the admins who are emailed about it. */
export function roleChanged(
  from: Of<"AccountRoleChanged">["from"],
  to: Of<"AccountRoleChanged">["to"],
  told?: string[],
): UserEvent {
  return { type: "AccountRoleChanged", data: { from, to, ...(told ? { told } : {}) } };
}
