import { MAX_CONTACTS_FOUND } from "#contracts/account/contact-alarm.ts";
import { INBOX_MAILS_PER_HOUR, type MailKind } from "#contracts/mail/mail-kinds.ts";
import { isTemplateKind, type TemplateKind } from "#contracts/mail/template-kinds.ts";
import { MAX_DELETIONS } from "#contracts/report/reporter-rules.ts";
import type { MailText } from "../layout.ts";
import { renderFixed, renderText } from "../render-text.ts";
import { shippedTemplates } from "../shipped/shipped-templates.ts";
import { type CaseDetails, formInSentence, type MailFacts, valuesOf } from "./template-values.ts";

const NOTHING: CaseDetails = { title: "", number: "", promise: "" };

/** Forwards an inquiry to staff, with each line marked as the sender's. */
function inquiryForInboxMail({ about = NOTHING }: MailFacts): MailText {
  const { title, number, promise, answers = [] } = about;
  return {
    subject: `${title} ${number}`,
    paragraphs: [
      `We received ${/^[aeiou]/i.test(title) ? "an" : "a"} ${formInSentence(title)}, number ${number}. We told the sender: "${promise}" No one has checked the address.`,
      ...answers.map(({ label, text }) => `${label}:\n${quoted(text)}`),
    ],
  };
}

/** Notifies staff that a report's owner requested the banner. Reveals nothing about the report. */
function resolutionForInboxMail({ url, about }: MailFacts): MailText {
  const number = about?.number ?? "";
  return {
    subject: `RESOLVED banner requested: report ${number}`,
    paragraphs: [
      `The owner of report ${number} sent a notarized letter to request the RESOLVED banner. The letter is awaiting review.`,
    ],
    action: { label: "Open requests", url },
  };
}

function quoted(text: string): string {
  return text
    .split(/\r\n|[\r\n\u2028\u2029]/)
    .map((line) => `> ${line}`)
    .join("\n");
}

/** Creates an email that alerts an admin. */
const adminAlert =
  (write: (productName: string) => { subject: string; says: string[]; action: string }) =>
  ({ productName, url }: MailFacts): MailText => {
    const { subject, says, action } = write(productName);
    return { subject, paragraphs: ["Hello,", ...says], action: { label: action, url } };
  };

/** Names no one: the audit log does. */
const templateChanged = adminAlert((productName) => ({
  subject: `An email template was changed at ${productName}`,
  says: [
    `An admin changed the emails that ${productName} sends. A template was activated or deactivated, or the active one was edited. The audit log shows who did it and for which kind of email.`,
    "If none of you did this, deactivate the template and tell the operator immediately. Someone may have gained admin access.",
  ],
  action: "Open the audit log",
}));

/** Emails whose text can't be customized. */
const fixedMails: Readonly<
  Record<Exclude<MailKind, TemplateKind>, (facts: MailFacts) => MailText>
> = {
  resolution_for_inbox: resolutionForInboxMail,
  inquiry_for_inbox: inquiryForInboxMail,
  notice_for_inbox: inquiryForInboxMail,
  template_changed: templateChanged,
  template_test: templateChanged,
  settings_changed: adminAlert((productName) => ({
    subject: `${productName} settings were changed`,
    says: [
      `An admin changed how ${productName} makes backups, who can sign in to the back office, where emails to its staff go, or how long it keeps data. The settings page shows the current settings and who changed them.`,
      "If none of you did this, change it back and tell the operator immediately. Someone may have gained admin access.",
    ],
    action: "Open settings",
  })),
  deletion_waits: adminAlert((productName) => ({
    subject: `A deletion on ${productName} needs your approval`,
    says: [
      `An admin of ${productName} deleted ${MAX_DELETIONS} reports within an hour. The next deletion is on hold until another admin approves or refuses it. You'll find it in the back office under Reports, on the Deleted tab.`,
      "You can restore deleted reports until they are erased. If you don't know about these deletions, undo them and tell the operator right away. Someone may have gained admin access.",
    ],
    action: "Open deleted reports",
  })),
  contacts_found: adminAlert((productName) => ({
    subject: `Unusually many searches by email or phone on ${productName}`,
    says: [
      `Searches by email or phone have found at least ${MAX_CONTACTS_FOUND} reports on ${productName} today. That is more than merchants who look up their customers usually find. Someone may be using one or more accounts to guess the addresses and phone numbers that we mask.`,
      "The audit log lists the accounts under “Contact found in a search”. Ban those you don't trust. We'll email you about this at most once a day.",
    ],
    action: "Open the audit log",
  })),
};

/** Renders an email as the software ships it. */
export function shippedMail(kind: MailKind, facts: MailFacts, siteUrl: string): MailText {
  if (!isTemplateKind(kind)) return fixedMails[kind](facts);
  const values = valuesOf(kind, facts, siteUrl);
  const { subject, ...rendered } = renderText(shippedTemplates[kind], values);
  return { subject, rendered, ...fixedParts(kind, values, facts.url) };
}

/** The parts below a template's text, which no template changes. */
export function fixedParts(kind: TemplateKind, values: ReturnType<typeof valuesOf>, url: string) {
  const { warning, action } = renderFixed(kind, values);
  return {
    paragraphs: warning ? [warning] : [],
    ...(action ? { action: { label: action, url } } : {}),
  };
}

const THINGS: Partial<Readonly<Record<MailKind, string>>> = {
  inquiry_for_inbox: "inquiries",
  notice_for_inbox: "notices",
  resolution_for_inbox: "requests for the RESOLVED banner",
};

/** Lists what arrived beyond the hourly email limit. Quotes no sender. */
export function inboxDigestMail(digest: {
  readonly kind: MailKind;
  readonly count: number;
  /** Case numbers of the first ones. */
  readonly numbers: readonly string[];
  /** URL of the console's list of requests for the RESOLVED banner. */
  readonly consoleUrl: string;
}): MailText {
  const { kind, count, numbers, consoleUrl } = digest;
  const things = THINGS[kind] ?? "messages";
  const rest = count - numbers.length;
  const inConsole = kind === "resolution_for_inbox";
  return {
    subject: `${count} more ${things}`,
    paragraphs: [
      `${count} more ${things} arrived after the ${INBOX_MAILS_PER_HOUR} that we emailed one by one within an hour. No one has checked who sent them.`,
      numbers.join("\n"),
      ...(rest > 0 ? [`And ${rest} more.`] : []),
      ...(inConsole
        ? []
        : [
            "To read them, run: npm run inquiry -- list, and npm run inquiry -- show <number>. Each sender has been told the number and when to expect an answer.",
          ]),
    ],
    ...(inConsole ? { action: { label: "Open requests", url: consoleUrl } } : {}),
  };
}
