import type { RegistryEvent } from "../events/index.ts";
import type { Notifications } from "../events/user/account-state.ts";

type EventOfType<T extends RegistryEvent["type"]> = Extract<RegistryEvent, { readonly type: T }>;

/** Who did it: the account that the event is about, or someone else. */
export type DoneBy = "owner" | "other";

/** Events that ask for an email, by type, clear fields or actor. Fields may name other accounts that get it. */
type AskedBy = {
  readonly [T in RegistryEvent["type"]]?:
    | true
    | ((data: EventOfType<T>["data"], by: DoneBy) => boolean | readonly string[]);
};

/** What holds for every email of a kind. */
export interface KindOfMail {
  /** Whose history tells where the email goes. An event of a session asks for its account. */
  readonly owner: "report" | "account" | "inquiry" | "notice";
  /** Most emails of this kind to an address in 24 hours. Links requested again count apart, under the same cap. */
  readonly capADay: number;
  /** Whether the recipient asked for it. If so, and the address is confirmed, no cap applies. */
  readonly isAskedFor: boolean;
  readonly askedBy: AskedBy;
  /** Milliseconds that it waits after its event. Absent: it goes at once. */
  readonly waitsMs?: number;
  /** The setting that switches it off. Emails without one are always sent. */
  readonly setting?: keyof Notifications;
  /** Whether it goes to the registry's own desk, whatever address was typed. */
  readonly isForDesk?: true;
  /** Answers go to the operator's own address: the email may be about someone who acts as an admin. */
  readonly answersToOperator?: true;
  /** The page of the site that an email about an account leads to, when it has no link of its own. */
  readonly page?: `/${string}`;
}
