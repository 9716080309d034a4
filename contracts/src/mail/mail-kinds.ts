import type { RegistryEvent } from "../events/index.ts";
import { ACCOUNT_MAILS, SETTINGS_MAILS } from "./account-mails.ts";
import type { DoneBy, KindOfMail } from "./kind-of-mail.ts";
import { REPORT_MAILS } from "./report-mails.ts";
import { INQUIRY_MAILS, STANDING_MAILS, TEMPLATE_MAILS } from "./standing-mails.ts";

/** A mail that an event asks for. */
export interface AskedMail {
  readonly kind: MailKind;
  /** The account that gets it. Absent: the report or account that the event is about. */
  readonly account?: string;
}

/** Unrequested mails of all kinds that an address gets in 24 hours, not counting resent links. */
export const RECIPIENT_CAP_A_DAY = 10;

/**
 * Mails of one kind that a desk of the registry gets one by one in an hour. What arrives beyond comes
 * in one mail an hour later.
 */
export const DESK_MAILS_AN_HOUR = 20;

/** A desk of the registry. */
export type Desk = "sales" | "support";

/** Every kind of mail. */
const kinds = {
  ...REPORT_MAILS,
  ...ACCOUNT_MAILS,
  ...STANDING_MAILS,
  ...INQUIRY_MAILS,
  ...TEMPLATE_MAILS,
  ...SETTINGS_MAILS,
};

export type MailKind = keyof typeof kinds;
export const mailKinds: Readonly<Record<MailKind, KindOfMail>> = kinds;

/** Kinds that go to the registry's own desks. */
export const DESK_KINDS: readonly MailKind[] = (Object.keys(kinds) as MailKind[]).filter(
  (kind) => mailKinds[kind].isForDesk,
);

type Asks = (data: never, by: DoneBy) => boolean | readonly string[];

/** For each type of event the kinds that it may ask for. */
const askers = new Map<string, [MailKind, Asks][]>();
for (const kind of Object.keys(kinds) as MailKind[])
  for (const [type, asks] of Object.entries<true | Asks>(mailKinds[kind].askedBy)) {
    const row: [MailKind, Asks] = [kind, asks === true ? () => true : asks];
    askers.set(type, [...(askers.get(type) ?? []), row]);
  }

/** The mails that an event asks for, in the order of the table. */
export function mailsAskedBy(event: RegistryEvent, by: DoneBy): readonly AskedMail[] {
  return (askers.get(event.type) ?? []).flatMap(([kind, asks]) => {
    const asked = asks(event.data as never, by);
    if (typeof asked !== "boolean") return asked.map((account) => ({ kind, account }));
    return asked ? [{ kind }] : [];
  });
}
