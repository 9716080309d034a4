import { DESK_MAILS_AN_HOUR, type MailKind } from "#contracts/mail/mail-kinds.ts";
import type { MailText } from "#mail-templates/layout.ts";

/** Plural names. */
const THINGS: Partial<Readonly<Record<MailKind, string>>> = {
  inquiry_for_desk: "inquiries",
  notice_for_desk: "notices",
  resolution_for_desk: "requests for the RESOLVED banner",
};

/** Lists what arrived beyond the hourly limit of emails. Quotes no sender. */
export function deskDigestMail(digest: {
  readonly kind: MailKind;
  readonly count: number;
  /** Of the first ones. */
  readonly numbers: readonly string[];
  /** Where the console lists requests for the RESOLVED banner. */
  readonly consoleUrl: string;
}): MailText {
  const { kind, count, numbers, consoleUrl } = digest;
  const things = THINGS[kind] ?? "messages";
  const rest = count - numbers.length;
  const inConsole = kind === "resolution_for_desk";
  return {
    subject: `${count} more ${things}`,
    paragraphs: [
      `${count} more ${things} arrived after the ${DESK_MAILS_AN_HOUR} that we emailed one by one within an hour. No one has checked who sent them.`,
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
