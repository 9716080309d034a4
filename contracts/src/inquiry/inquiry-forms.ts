import { COUNTER_NOTICE_DAYS, NOTICE_HOURS } from "../notice/notice-promises.ts";
import type { InquiryField, InquiryFields } from "./inquiry-field.ts";
import { PLANS } from "./plans.ts";

/** A form whose answers go to the registry's staff: one row a form, all that differs. */
export interface InquiryForm {
  /** Its streams: `inquiry-<id>`, or `notice-<id>` for what has a legal clock. */
  readonly family: "inquiry" | "notice";
  /** Begins the number of a case. */
  readonly prefix: string;
  /** What a case is called in mails and messages. */
  readonly title: string;
  /** Who is told by mail. */
  readonly desk: "sales" | "support";
  /** When the sender hears from us. */
  readonly promise: string;
  readonly path: `/prod/api/${string}`;
  readonly fields: InquiryFields;
  /** It takes one file, whose control has this label and hint. */
  readonly attachment?: { readonly label: string; readonly hint: string };
}

/** Names the file of a form that takes one, beside its answers. */
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

/** Hours within which an inquiry is answered, as its sender is told. */
export const ANSWER_HOURS = 24;
const ANSWER_PROMISE = `We answer within ${ANSWER_HOURS} hours.`;

/**
 * The forms, by the code that the log keeps for ever. A form may get other fields: what was answered
 * is stored with the names that its fields had.
 */
export const INQUIRY_FORMS = {
  enterprise: {
    family: "inquiry",
    prefix: "E",
    title: "Enterprise inquiry",
    desk: "sales",
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
    desk: "support",
    promise: ANSWER_PROMISE,
    path: "/prod/api/law-enforcement/requests",
    fields: {
      agency: { label: "Agency", max: 200, required: true, autocomplete: "organization" },
      name: { ...name, label: "Officer's name and rank" },
      email: { ...email, hint: "An address of the agency. We check it before we answer." },
      phone,
      legal_basis: {
        label: "Legal basis",
        max: 1000,
        required: true,
        kind: "prose",
        hint: "The law or order under which you ask.",
      },
      document: {
        label: "Document",
        max: 300,
        hint: "Number and date of the subpoena, order or warrant.",
      },
      cases: {
        label: "Reports or people concerned",
        max: 2000,
        required: true,
        kind: "prose",
        hint: "Addresses of the reports, or names as they are reported.",
      },
    },
    attachment: {
      label: "Copy of the document",
      hint: "One PDF, JPEG, PNG or WebP. It is kept encrypted, read by our staff only, and erased with the request.",
    },
  },
  takedown: {
    family: "notice",
    prefix: "N",
    title: "DMCA notice",
    desk: "support",
    promise: `We respond within ${NOTICE_HOURS} hours.`,
    path: "/prod/api/dmca/notices",
    fields: {
      name,
      owner: {
        label: "Copyright owner",
        max: 200,
        hint: "If you act for somebody else.",
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
        hint: "Describe the work, or say where it can be seen.",
      },
      material: {
        label: "The material that infringes it",
        max: 2000,
        required: true,
        kind: "prose",
        hint: "The addresses of the reports, one per line, and which part of each you mean.",
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
    desk: "support",
    promise: `We pass it on to whoever sent the notice. Unless they go to court, the material is back after ${COUNTER_NOTICE_DAYS.from} to ${COUNTER_NOTICE_DAYS.to} business days.`,
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
        hint: "The addresses where it was, one per line, or the number of the notice.",
      },
      reason: { label: "Why it was a mistake", max: 2000, required: true, kind: "prose" },
      mistake: statement(
        "Under penalty of perjury, I believe in good faith that the material was removed by mistake or because it was misidentified.",
      ),
      jurisdiction: statement(
        "I consent to the jurisdiction of the Federal District Court for my address, or for any district where the registry may be found if I live outside the United States, and will accept service of process from whoever sent the notice.",
      ),
      signature,
    },
  },
} as const satisfies Readonly<Record<string, InquiryForm>>;

export type InquiryKind = keyof typeof INQUIRY_FORMS;

/** The forms, each as one of a kind. */
export const inquiryForms: Readonly<Record<InquiryKind, InquiryForm>> = INQUIRY_FORMS;
