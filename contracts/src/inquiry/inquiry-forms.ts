import { EMAIL_SENTENCE, isEmail } from "../account/email.ts";
import type { InquiryDocument } from "../events/inquiry/inquiry-events.ts";
import { COUNTER_NOTICE_DAYS, NOTICE_HOURS } from "../notice/notice-promises.ts";
import { FILE_TYPES } from "../report/evidence-rules.ts";
import { quotedNumber } from "../report/masks.ts";
import type { Payload, Problems } from "../report/submission-rules.ts";

/** Plans on the enterprise page, by the code that its form sends. */
export const PLANS = {
  professional: "Professional",
  enterprise: "Enterprise",
  enterprise_plus: "Enterprise Plus",
} as const;

/** A question of a form: its label and control, and which answers are valid. */
export interface InquiryField {
  readonly label: string;
  /** Maximum length of an answer, in characters. */
  readonly max: number;
  readonly required?: true;
  /** The control; a line of text if absent. `statement`: a checkbox to agree to the label. */
  readonly kind?: "email" | "phone" | "prose" | "statement" | "choice";
  /** The answers of a `choice`, by code. */
  readonly choices?: Readonly<Record<string, string>>;
  readonly hint?: string;
  readonly autocomplete?: string;
}

type InquiryFields = Readonly<Record<string, InquiryField>>;

/** Value sent for an accepted statement. */
export const AGREED = "yes";

/** A honeypot: people do not see this field, so only bots fill it in. No browser autofills this name. */
export const HONEYPOT = "leave_empty";

/** A form whose answers go to the registry's staff. A row holds everything that is specific to it. */
export interface InquiryForm {
  /** Its streams: `inquiry-<id>`, or `notice-<id>` for cases with legal deadlines. */
  readonly family: "inquiry" | "notice";
  /** Prefix of its case numbers. */
  readonly prefix: string;
  /** Name of a case in emails and messages. */
  readonly title: string;
  /** The inbox that is notified by email. */
  readonly inbox: "sales" | "support";
  /** When the sender will hear from us. */
  readonly promise: string;
  readonly path: `/prod/api/${string}`;
  readonly fields: InquiryFields;
  /** Present if the form accepts one file: label and hint of its control. */
  readonly attachment?: { readonly label: string; readonly hint: string };
}

/** Name of the file field of a form that accepts one, next to its answers. */
export const ATTACHMENT = "document_file";

const email: InquiryField = {
  label: "Email",
  max: 254,
  required: true,
  kind: "email",
  autocomplete: "email",
};
const phone: InquiryField = { label: "Phone", max: 40, kind: "phone", autocomplete: "tel" };
const address: InquiryField = {
  label: "Postal address",
  max: 400,
  required: true,
  autocomplete: "street-address",
};
const name: InquiryField = { label: "Name", max: 200, required: true, autocomplete: "name" };
const signature: InquiryField = {
  label: "Signature",
  max: 200,
  required: true,
  hint: "Type your full name. It counts as your electronic signature.",
};
const statement = (label: string): InquiryField => ({
  label,
  max: 3,
  required: true,
  kind: "statement",
});

/** Hours within which inquiries are answered, as promised to senders. */
export const ANSWER_HOURS = 24;
const ANSWER_PROMISE = `We answer within ${ANSWER_HOURS} hours.`;

/** The forms, by codes that the log keeps forever. Answers are stored under their field names. */
export const INQUIRY_FORMS = {
  enterprise: {
    family: "inquiry",
    prefix: "E",
    title: "Enterprise inquiry",
    inbox: "sales",
    promise: ANSWER_PROMISE,
    path: "/prod/api/enterprise/contact",
    fields: {
      company: { label: "Company", max: 200, required: true, autocomplete: "organization" },
      name,
      email,
      phone,
      plan: { label: "Plan", max: 40, kind: "choice", choices: PLANS },
      useCase: { label: "Use case", max: 2000, required: true, kind: "prose" },
      volume: { label: "Calls per month", max: 100 },
    },
  },
  law_enforcement: {
    family: "inquiry",
    prefix: "L",
    title: "Law enforcement request",
    inbox: "support",
    promise: ANSWER_PROMISE,
    path: "/prod/api/law-enforcement/requests",
    fields: {
      agency: { label: "Agency", max: 200, required: true, autocomplete: "organization" },
      name: { ...name, label: "Officer's name and rank" },
      email: { ...email, hint: "Use an agency address. We'll check it before we answer." },
      phone,
      legal_basis: {
        label: "Legal basis",
        max: 1000,
        required: true,
        kind: "prose",
        hint: "The law or order that entitles you to the data.",
      },
      document: {
        label: "Document",
        max: 300,
        hint: "The number and date of the subpoena, order or warrant.",
      },
      cases: {
        label: "Reports or people concerned",
        max: 2000,
        required: true,
        kind: "prose",
        hint: "Links to the reports, or names as they appear in them.",
      },
    },
    attachment: {
      label: "Copy of the document",
      hint: "One PDF, JPEG, PNG or WebP. We store it encrypted, only our staff can read it, and it's erased with the request.",
    },
  },
  takedown: {
    family: "notice",
    prefix: "N",
    title: "DMCA notice",
    inbox: "support",
    promise: `We respond within ${NOTICE_HOURS} hours.`,
    path: "/prod/api/dmca/notices",
    fields: {
      name,
      owner: {
        label: "Copyright owner",
        max: 200,
        hint: "If you're acting for someone else.",
        autocomplete: "off",
      },
      email,
      phone,
      address,
      work: {
        label: "The copyrighted work",
        max: 2000,
        required: true,
        kind: "prose",
        hint: "Describe the work, or tell us where to find it.",
      },
      material: {
        label: "The material that infringes it",
        max: 2000,
        required: true,
        kind: "prose",
        hint: "Links to the reports, one per line, and which part of each you mean.",
      },
      good_faith: statement(
        "I believe in good faith that the use of the material is not authorized by the copyright owner, its agent, or the law.",
      ),
      accuracy: statement(
        "The information in this notice is accurate. Under penalty of perjury, I am the copyright owner or may act for the owner.",
      ),
      signature,
    },
  },
  counter_notice: {
    family: "notice",
    prefix: "C",
    title: "DMCA counter-notice",
    inbox: "support",
    promise: `We'll forward it to the person who sent the notice. Unless they go to court, the material will be public again after ${COUNTER_NOTICE_DAYS.from} to ${COUNTER_NOTICE_DAYS.to} business days.`,
    path: "/prod/api/dmca/counter-notices",
    fields: {
      name,
      email,
      phone: { ...phone, required: true },
      address,
      material: {
        label: "The material that was removed",
        max: 2000,
        required: true,
        kind: "prose",
        hint: "The links where it appeared, one per line, or the number of the notice.",
      },
      reason: { label: "Why it was a mistake", max: 2000, required: true, kind: "prose" },
      mistake: statement(
        "Under penalty of perjury, I believe in good faith that the material was removed by mistake or because it was misidentified.",
      ),
      jurisdiction: statement(
        "I consent to the jurisdiction of the Federal District Court for my address, or for any district where the registry may be found if I live outside the United States, and will accept service of process from the person who sent the notice or that person's agent.",
      ),
      signature,
    },
  },
} as const satisfies Readonly<Record<string, InquiryForm>>;

export type InquiryKind = keyof typeof INQUIRY_FORMS;

/** The forms, under one type. */
export const inquiryForms: Readonly<Record<InquiryKind, InquiryForm>> = INQUIRY_FORMS;

/** Trims the answers and drops those that are then empty. */
export function tidyInquiry(payload: Payload): Payload {
  const entries = Object.entries(payload)
    .map(([key, value]) => [key, typeof value === "string" ? value.trim() : value] as const)
    .filter(([, value]) => value !== "");
  return Object.fromEntries(entries);
}

/** Validates the answers to a form. Returns messages by field; the page and the server show the same ones. */
export function inquiryProblems(kind: InquiryKind, payload: Payload): Problems {
  const problems: Problems = {};
  for (const [name, field] of Object.entries(inquiryForms[kind].fields)) {
    const problem = problemOf(field, payload[name]);
    if (problem) problems[name] = problem;
  }
  return problems;
}

function problemOf(field: InquiryField, answer: unknown): string | undefined {
  const { label, max, required, kind, choices } = field;
  if (kind === "statement" && answer !== AGREED) return "Please confirm this statement";
  if (answer === undefined || answer === "")
    return required ? `${label} is a required field` : undefined;
  if (typeof answer !== "string") return undefined;
  if ([...answer].length > max) return `${label} must have at most ${max} characters`;
  if (choices && !Object.hasOwn(choices, answer)) return `${label} isn't one of the choices`;
  return kind === "email" && !isEmail(answer) ? EMAIL_SENTENCE : undefined;
}

/** A submitted form, as stored. */
interface SentAnswers {
  readonly name: string;
  readonly email: string;
  readonly answers: readonly { readonly field: string; readonly text: string }[];
  readonly document?: InquiryDocument;
}

/** Returns a form's questions with their answers. A question that no longer exists is labeled with its field name. */
export function answersText(
  kind: InquiryKind,
  { name, email, answers, document }: SentAnswers,
): readonly { readonly label: string; readonly text: string }[] {
  const { fields, attachment } = inquiryForms[kind];
  return [
    { label: "Name", text: name },
    { label: "Email", text: email },
    ...answers.map(({ field, text }) => ({
      label: fields[field]?.label ?? field,
      text: fields[field]?.choices?.[text] ?? text,
    })),
    ...(document ? [{ label: attachment?.label ?? "File", text: fileInWords(document) }] : []),
  ];
}

/** Staff answers, and the replies to them. */
type Thread = readonly {
  readonly answer_id: string;
  readonly text: string | null;
  readonly reply: string | null;
}[];

/** Returns the answers and replies that followed the form, oldest first. */
export function threadText(thread: Thread) {
  return thread.flatMap((each) => [
    ...(each.text === null ? [] : [{ label: "Our answer", text: each.text }]),
    ...repliesText([each]),
  ]);
}

/** Returns the sender's replies, oldest first, each with the answer that it replies to. */
export function repliesText(thread: Thread) {
  return thread.flatMap(({ answer_id, reply }) =>
    reply === null ? [] : [{ label: "Reply", text: reply, answer_id }],
  );
}

/** "order.pdf (PDF, 812 kB)" */
function fileInWords({ name, type, bytes }: InquiryDocument): string {
  return `${name} (${FILE_TYPES[type]}, ${Math.max(1, Math.round(bytes / 1024))} kB)`;
}

/**
 * Returns the case number to quote, with the form's letter, such as `N-7F3A9-C21B0`.
 * @param id a UUID.
 */
export function caseNumber(kind: InquiryKind, id: string): string {
  return quotedNumber(inquiryForms[kind].prefix, id);
}

/** Returns the first ten digits of the ID in a case number, or undefined if it is not one. */
export function digitsOfCase(number: string): string | undefined {
  const found = /^[A-Z]-([0-9A-F]{5})-([0-9A-F]{5})$/i.exec(number.trim());
  return found ? `${found[1]}${found[2]}`.toLowerCase() : undefined;
}
