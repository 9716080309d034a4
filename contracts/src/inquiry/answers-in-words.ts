import type { InquiryDocument } from "../events/inquiry/inquiry-events.ts";
import { FILE_TYPES } from "../report/evidence-rules.ts";
import { type InquiryKind, inquiryForms } from "./inquiry-forms.ts";

/** What somebody sent, as it is stored. */
export interface SentAnswers {
  readonly name: string;
  readonly email: string;
  readonly answers: readonly { readonly field: string; readonly text: string }[];
  readonly document?: InquiryDocument;
}

/** The questions of a form with what was answered. A question that it no longer has keeps its name. */
export function answersInWords(
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

/** "order.pdf (PDF, 812 kB)" */
function fileInWords({ name, type, bytes }: InquiryDocument): string {
  return `${name} (${FILE_TYPES[type]}, ${Math.max(1, Math.round(bytes / 1024))} kB)`;
}
