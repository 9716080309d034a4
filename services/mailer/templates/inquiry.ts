import { greeting } from "./greeting.ts";
import type { CaseWords, MailFacts, MailText } from "./layout.ts";

const NOTHING: CaseWords = { title: "", number: "", promise: "" };

/** Tells the sender of a form that it arrived. All words are fixed: anybody can type an address. */
export function inquiryReceivedMail({ productName, about = NOTHING }: MailFacts): MailText {
  const { title, number, promise } = about;
  return {
    subject: `${title} ${number}: we have it`,
    paragraphs: [
      greeting(undefined),
      `Your ${inSentence(title)} to ${productName} arrived. Its number is ${number}: please quote it when you write to us about it.`,
      promise,
      "If you did not send it, you can ignore this mail, or tell us so.",
    ],
  };
}

/** Gives the registry's desk what was sent, each line marked as the sender's. */
export function inquiryForDeskMail({ about = NOTHING }: MailFacts): MailText {
  const { title, number, promise, answers = [] } = about;
  return {
    subject: `${title} ${number}`,
    paragraphs: [
      `A ${inSentence(title)} arrived, number ${number}. The sender was told: "${promise}" Nobody has checked the address.`,
      ...answers.map(({ label, text }) => `${label}:\n${quoted(text)}`),
    ],
  };
}

/** "DMCA notice", "law enforcement request". */
function inSentence(title: string): string {
  return /^[A-Z]{2}/.test(title) ? title : title.charAt(0).toLowerCase() + title.slice(1);
}

function quoted(text: string): string {
  return text
    .split(/\r\n|[\r\n\u2028\u2029]/)
    .map((line) => `> ${line}`)
    .join("\n");
}
