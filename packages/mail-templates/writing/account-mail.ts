import { mailboxOf } from "#contracts/account/email.ts";
import type { UserEvent } from "#contracts/events/index.ts";
import type { OneTimeLink } from "#contracts/events/one-time-link.ts";
import type { AccountState } from "#contracts/events/user/account-state.ts";
import { type MailKind, mailKinds } from "#contracts/mail/mail-kinds.ts";
import { omitUndefined } from "#contracts/omit-undefined.ts";
import type { LinkPurpose, OneTimeLinks } from "#vault/links/one-time-link.ts";
import type { StreamDeps } from "#vault/open-stream.ts";
import type { BlindIndexer } from "#vault/sealing/hashes.ts";
import { oneLine } from "../layout.ts";
import { readAccount } from "./account-history.ts";
import type { MailToWrite } from "./outgoing-mail.ts";

interface Deps extends StreamDeps {
  readonly links: OneTimeLinks;
  readonly publicUrl: string;
}

/** Recipient and contents of an email about an account. */
export interface AccountMail {
  readonly to: string;
  readonly url: string;
  /** Empty for an unconfirmed address. */
  readonly firstName: string;
  /** The rate-limit category; undefined for an email that the account's owner requested. */
  readonly count: RecipientCount | undefined;
  /** When a closed account will be erased, or a ban ends (RFC 3339). */
  readonly until?: string;
  readonly reason?: string;
}

type Dropped = { readonly drop: "deleted" | "erased" | "superseded" | "unwanted" };

/** Reads an email's recipient and target from the account's history. @param now expired links aren't sent. */
export async function readAccountMail(
  mail: MailToWrite,
  now: Date,
  deps: Deps,
): Promise<AccountMail | Dropped> {
  const { state, events } = await readAccount(mail.ownerId, deps);
  const asking = events[mail.revision];
  if (!state) return { drop: "deleted" };
  if (!state.profile) return { drop: "erased" };
  const { email, first_name } = state.profile;
  const to = {
    to: email,
    firstName: state.confirmed ? oneLine(first_name) : "",
    ...omitUndefined(endsOf(mail.kind, state)),
  };
  const { page } = mailKinds[mail.kind];
  if (page) {
    const { setting } = mailKinds[mail.kind];
    if (setting && (state.closed || !state.confirmed || !state.notifications[setting]))
      return { drop: "unwanted" };
    // A stranger could trigger these emails to an address they registered, so it must be confirmed.
    // Events of other accounts can trigger other emails; their revisions mean nothing here.
    const isLate = mail.kind === "email_change_warning" && isMovedOn(state, asking);
    if (!state.confirmed || isLate || isOver(mail.kind, state)) return { drop: "superseded" };
    const count = mail.kind === "registration_attempted" ? "mail.recipient" : undefined;
    return { ...to, url: `${deps.publicUrl}${page}`, count };
  }
  const asked = asking && linkOf(state, asking, now);
  if (!asked || Date.parse(asked.link.expires_at) <= now.getTime()) return { drop: "superseded" };
  const { link_id: linkId, expires_at: expiresAt } = asked.link;
  const content = { aggregateId: mail.ownerId, linkId, expiresAt };
  const token = deps.links.makeToken(asked.purpose, content);
  const url = `${deps.publicUrl}${asked.path}/${token}${asked.query ?? ""}`;
  return {
    ...to,
    ...omitUndefined({ to: asked.to, firstName: asked.firstName }),
    url,
    count: asked.count,
  };
}

function endsOf(kind: MailKind, { closed, banned }: AccountState) {
  if (kind !== "account_banned") return { until: closed?.eraseAt };
  return { until: banned?.until, reason: banned?.reason ?? undefined };
}

/** Whether the email is out of date. */
function isOver(kind: MailKind, { banned, closed }: AccountState): boolean {
  // Both link to pages that a closed account can't open. The email about the closing is sent instead.
  if (kind === "role_changed" || kind === "profile_edited") return closed !== undefined;
  if (kind === "account_deleted") return closed === undefined;
  if (kind === "account_kept") return closed !== undefined;
  if (kind === "account_banned") return !banned;
  const letsIn = kind === "account_reopened" || kind === "account_unbanned";
  return letsIn && (closed !== undefined || banned !== undefined);
}

/** Whether the email change that the warning is about was replaced, confirmed or dropped. */
function isMovedOn({ emailChange }: AccountState, asking: UserEvent | undefined): boolean {
  return (
    asking?.type === "EmailChangeRequested" &&
    emailChange?.link.link_id !== asking.data.link.link_id
  );
}

interface Asked {
  readonly link: OneTimeLink;
  readonly purpose: LinkPurpose;
  readonly path: string;
  readonly query?: string;
  readonly count: RecipientCount | undefined;
  /** Recipient and greeting, if they differ from the account's current address. */
  readonly to?: string;
  readonly firstName?: string;
}

/** The link that the event requested; undefined once it was used or is void. */
function linkOf(state: AccountState, event: UserEvent, now: Date): Asked | undefined {
  const open = <L extends OneTimeLink>(links: readonly L[], { link_id }: OneTimeLink) =>
    links.find((link) => link.link_id === link_id);
  switch (event.type) {
    case "DeviceConfirmationRequested": {
      const link = open(state.deviceConfirmations, event.data.link);
      const path = "/sign-in-link";
      // Before the address was confirmed, the request counts as one that strangers can cause.
      const count = state.confirmed ? undefined : "mail.recipient";
      return link && { link, purpose: "sign-in", path, count };
    }
    case "AccountRegistered":
    case "EmailConfirmationRequested": {
      const link = open(state.emailConfirmations, event.data.link);
      const isFirst = event.type === "AccountRegistered";
      const count = isFirst ? "mail.recipient" : "mail.recipient.resent";
      return link && { link, purpose: "confirm-account", path: "/verify-email", count };
    }
    case "AccountInvited": {
      const link = open(state.passwordResets, event.data.link);
      const path = "/reset-password";
      const query = "?invited";
      return link && { link, purpose: "reset-password", path, query, count: "mail.recipient" };
    }
    case "PasswordResetRequested": {
      const link = open(state.passwordResets, event.data.link);
      // From a browser that the account knows, the owner made the request.
      const isOwners = state.confirmed && event.data.device === "known";
      const count = isOwners ? undefined : "mail.recipient.password";
      return link && { link, purpose: "reset-password", path: "/reset-password", count };
    }
    case "EmailChangeRequested": {
      const { link, email } = state.emailChange ?? {};
      if (!email || state.closed || link?.link_id !== event.data.link.link_id) return undefined;
      const path = "/change-email";
      const count = "mail.recipient";
      return { link, purpose: "change-email", path, count, to: email, firstName: "" };
    }
    case "EmailChanged": {
      const { link_id } = event.data.undo_link;
      return undoOf(state.undos.find(({ link }) => link.link_id === link_id));
    }
    case "AccountClosed": {
      // The oldest link that hasn't expired undoes all later changes.
      const isOpenYet = ({ expires_at }: OneTimeLink) => Date.parse(expires_at) > now.getTime();
      return undoOf(state.closed && state.undos.find(({ link }) => isOpenYet(link)));
    }
    default:
      return undefined;
  }
}

function undoOf(undo: AccountState["undos"][number] | undefined): Asked | undefined {
  if (!undo?.formerEmail) return undefined;
  const { link, formerEmail: to } = undo;
  return { link, purpose: "undo-email-change", path: "/undo-email-change", count: undefined, to };
}

/** Rate-limit categories for emails to an address. Resent links have their own. */
export type RecipientCount =
  | "mail.recipient"
  | "mail.recipient.resent"
  /** Links to set a password: separate, so that strangers can't use up these with other emails, or vice versa. */
  | "mail.recipient.password";

/** Returns the blind index under which the outbox counts emails to one mailbox. */
export function recipientOf(address: string, blind: BlindIndexer, count: RecipientCount): string {
  return blind(count, mailboxOf(address));
}
