import type { MailText } from "#mail-templates/layout.ts";
import { formInSentence } from "./form-words.ts";
import type { CaseWords, MailFacts } from "./mail-facts.ts";

const NOTHING: CaseWords = { title: "", number: "", promise: "" };

/** Sends staff what arrived, with each line marked as the sender's. */
export function inquiryForDeskMail({ about = NOTHING }: MailFacts): MailText {
  const { title, number, promise, answers = [] } = about;
  return {
    subject: `${title} ${number}`,
    paragraphs: [
      `We received ${/^[aeiou]/i.test(title) ? "an" : "a"} ${formInSentence(title)}, number ${number}. The sender was told: "${promise}" No one has checked the address.`,
      ...answers.map(({ label, text }) => `${label}:\n${quoted(text)}`),
    ],
  };
}

/** Tells staff that a report's owner requests the banner. Says nothing about the report. */
export function resolutionForDeskMail({ url, about }: MailFacts): MailText {
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
