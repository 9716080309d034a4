import { greeting, reportCalled } from "./greeting.ts";
import type { MailFacts, MailText } from "./layout.ts";

/** Tells the author of a public report of another one on the same person, which it does not quote. */
export function samePersonMail({ productName, url, words }: MailFacts): MailText {
  return {
    subject: `Another report at ${productName} on a person you reported`,
    paragraphs: [
      greeting(words),
      `Somebody else's report on the person in your ${reportCalled(words)} was published. The two have more in common than the name.`,
      "Your dashboard marks your report.",
    ],
    // The address of a report's page contains a name, so no mail links to it.
    action: { label: "Open my dashboard", url },
  };
}

/** What happened to an account's reports in a week. All words are fixed. */
export function weeklySummaryMail({ productName, url, words, figures }: MailFacts): MailText {
  const { week = "", views = 0, approved = 0, rejected = 0, further = 0 } = figures ?? {};
  const lines = [
    views > 0 && `Your reports were read ${times(views)}.`,
    approved > 0 && `Published: ${count(approved, "report")} of yours.`,
    rejected > 0 && `Not published: ${count(rejected, "report")} of yours.`,
    further > 0 &&
      `Further reports by others on people you reported: ${NUMBER.format(further)} published.`,
  ];
  return {
    subject: `Your week at ${productName}`,
    paragraphs: [
      greeting(words),
      `Your reports in the week of ${dayText(week)} to ${dayText(week, 6)} (UTC):`,
      ...lines.filter((line) => line !== false),
    ],
    action: { label: "Open my dashboard", url },
  };
}

const DATE = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeZone: "UTC" });
const NUMBER = new Intl.NumberFormat("en-GB");

function dayText(day: string, later = 0): string {
  const date = new Date(`${day}T00:00:00Z`);
  date.setUTCDate(date.getUTCDate() + later);
  return DATE.format(date);
}

function times(n: number): string {
  return n === 1 ? "once" : `${NUMBER.format(n)} times`;
}

function count(n: number, what: string): string {
  return `${NUMBER.format(n)} ${what}${n === 1 ? "" : "s"}`;
}
