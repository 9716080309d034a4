import { quotedNumber } from "../report/report-number.ts";
import { type InquiryKind, inquiryForms } from "./inquiry-forms.ts";

/**
 * The number that people quote, with the form's letter, as in `N-7F3A9-C21B0`.
 * @param id a UUID.
 */
export function caseNumber(kind: InquiryKind, id: string): string {
  return quotedNumber(inquiryForms[kind].prefix, id);
}

/** The first ten digits of the id in a number; undefined when it is none. */
export function digitsOfCase(number: string): string | undefined {
  const found = /^[A-Z]-([0-9A-F]{5})-([0-9A-F]{5})$/i.exec(number.trim());
  return found ? `${found[1]}${found[2]}`.toLowerCase() : undefined;
}
