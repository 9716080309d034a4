import type { RegistryEvent } from "../events/index.ts";
import type { Notifications } from "../events/user/account-state.ts";

type EventOfType<T extends RegistryEvent["type"]> = Extract<RegistryEvent, { readonly type: T }>;

/** The actor: the account that the event is about, or someone else. */
export type DoneBy = "owner" | "other";

/** Events that trigger an email, by type, clear fields or actor. Fields may name other accounts that get it. */
type Triggers = {
  readonly [T in RegistryEvent["type"]]?:
    | true
    | ((data: EventOfType<T>["data"], by: DoneBy) => boolean | readonly string[]);
};

/** Rules for all emails of a kind. */
export interface KindOfMail {
  /** Whose history determines the recipient. An event of a session counts for its account. */
  readonly owner: "report" | "account" | "inquiry" | "notice";
  /**
   * Maximum number of emails of this kind to an address in 24 hours. Resent links count separately, under the
   * same cap.
   */
  readonly capADay: number;
  /** Whether the recipient asked for it. If so, and the address is confirmed, no cap applies. */
  readonly isRequested: boolean;
  readonly on: Triggers;
  /** Delay after its event in milliseconds. Absent: sent immediately. */
  readonly delayMs?: number;
  /** The setting that turns it off. Emails without one are always sent. */
  readonly setting?: keyof Notifications;
  /** Whether it goes to the registry's own inbox, regardless of the address that was typed. */
  readonly isForInbox?: true;
  /** Replies go to the operator's own address, because the email may be about someone who acts as an admin. */
  readonly repliesToOperator?: true;
  /** The page of the site that an account email links to if it has no link of its own. */
  readonly page?: `/${string}`;
}

/** Emails to an account about itself. */
export const TO_ACCOUNT = { owner: "account", capADay: 10, isRequested: true } as const;

/** Emails to admins: usually to all of them, so that nothing is done unnoticed. */
export const TO_ADMINS = { owner: "account", capADay: 100, isRequested: true } as const;

/** Emails to a report's owner who confirmed the address. */
export const TO_REPORTER = { owner: "report", capADay: 5, isRequested: true } as const;

/** Emails to the unconfirmed address of a notice's sender. */
export const TO_SENDER = { owner: "notice", capADay: 3, isRequested: false } as const;

/** The accounts that an event names as recipients. */
export const told = (data: { readonly told?: readonly string[] | undefined }): readonly string[] =>
  data.told ?? [];
