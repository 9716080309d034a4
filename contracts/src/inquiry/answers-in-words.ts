import { type InquiryKind, inquiryForms } from "./inquiry-forms.ts";

/** What somebody sent, as it is stored. */
export interface SentAnswers {
  readonly name: string;
  readonly email: string;
  readonly answers: readonly { readonly field: string; readonly text: string }[];
}

/** The questions of a form with what was answered. A question that it no longer has keeps its name. */
export function answersInWords(
  kind: InquiryKind,
  { name, email, answers }: SentAnswers,
): readonly { readonly label: string; readonly text: string }[] {
  const { fields } = inquiryForms[kind];
  return [
    { label: "Name", text: name },
    { label: "Email", text: email },
    ...answers.map(({ field, text }) => ({
      label: fields[field]?.label ?? field,
      text: fields[field]?.choices?.[text] ?? text,
    })),
  ];
}
