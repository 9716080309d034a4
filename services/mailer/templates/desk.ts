import type { MailText } from "#mail-templates/layout.ts";
import { formInSentence } from "./form-words.ts";
import type { CaseWords, MailFacts } from "./mail-facts.ts";

const NOTHING: CaseWords = { title: "", number: "", promise: "" };

/** Gives the registry's desk what was sent, each line marked as the sender's. */
export function inquiryForDeskMail({ about = NOTHING }: MailFacts): MailText {
  const { title, number, promise, answers = [] } = about;
  return {
    subject: `${title} ${number}`,
    paragraphs: [
      `A ${formInSentence(title)} arrived, number ${number}. The sender was told: "${promise}" Nobody has checked the address.`,
      ...answers.map(({ label, text }) => `${label}:\n${quoted(text)}`),
    ],
  };
}

/** Tells the registry's desk that a report's owner asks for the banner. It says nothing of the report. */
export function resolutionForDeskMail({ url, about }: MailFacts): MailText {
  const number = about?.number ?? "";
  return {
    subject: `RESOLVED banner asked for: report ${number}`,
    paragraphs: [
      `The owner of report ${number} sent a notarized letter and asks for the RESOLVED banner. The letter waits to be checked.`,
    ],
    action: { label: "Open the requests", url },
  };
}

function quoted(text: string): string {
  return text
    .split(/\r\n|[\r\n\u2028\u2029]/)
    .map((line) => `> ${line}`)
    .join("\n");
}
