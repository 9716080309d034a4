import { AGREED, type InquiryKind, inquiryForms } from "#contracts/inquiry/inquiry-forms.ts";
import { pdf } from "#pictures/testing/made-files.ts";
import { canaryWord } from "#test-kit/canaries.ts";

/** A canary for everything personal that comes with a report or after it but is not one of its fields. */
export const words = {
  pdf: canaryWord("pdf_text"),
  pdfName: canaryWord("pdf_name"),
  photoName: canaryWord("photo_name"),
  order: canaryWord("order_text"),
  orderName: canaryWord("order_name"),
  letter: canaryWord("letter_text"),
  letterName: canaryWord("letter_name"),
  question: canaryWord("question"),
  answer: canaryWord("answer"),
  corrected: canaryWord("corrected_address"),
  hidden: canaryWord("hidden_why"),
  refusal: canaryWord("letter_refusal"),
  reference: canaryWord("payment_reference"),
  refund: canaryWord("refund_why"),
  inquiryNote: canaryWord("inquiry_note"),
  inquiryAnswer: canaryWord("inquiry_answer"),
  inquiryReply: canaryWord("inquiry_reply"),
};

/** Returns a PDF with the word as text on a page. */
export const pdfWith = (word: string): Buffer =>
  pdf(`4 0 obj<</Length ${word.length + 14}>>stream\nBT (${word}) Tj ET\nendstream endobj\n`);

/** Returns an answer to every question of a form, with a canary wherever text is accepted. */
export function inquiryWithCanaries(kind: InquiryKind): Record<string, string> {
  const answers = Object.entries(inquiryForms[kind].fields).map(([name, field]) => {
    const word = inquiryWord(kind, name);
    switch (field.kind) {
      case "statement":
        return [name, AGREED];
      case "choice":
        return [name, Object.keys(field.choices ?? {})[0] ?? ""];
      case "email":
        return [name, `${word}@registry.example`];
      case "phone":
        return [name, "+1 918 273 4455"];
      default:
        return [name, word];
    }
  });
  return Object.fromEntries(answers);
}

export const inquiryWord = (kind: string, field: string) =>
  canaryWord(`inquiry_${kind}_${field}`.replace(/[A-Z]/g, (letter) => letter.toLowerCase()));
