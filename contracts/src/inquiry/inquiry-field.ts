/** A question of a form: what stands beside its control, and what an answer may be. */
export interface InquiryField {
  readonly label: string;
  /** Most characters of an answer. */
  readonly max: number;
  readonly required?: true;
  /** The control; a line of text when absent. `statement`: a box whose label is agreed to. */
  readonly kind?: "email" | "phone" | "prose" | "statement" | "choice";
  /** The answers of a `choice`, by code. */
  readonly choices?: Readonly<Record<string, string>>;
  readonly hint?: string;
  readonly autocomplete?: string;
}

export type InquiryFields = Readonly<Record<string, InquiryField>>;

/** What is sent for a statement that is agreed to. */
export const AGREED = "yes";

/**
 * The field that people do not see: whoever fills it in is a program. Its name is none that a browser
 * knows what to fill in for.
 */
export const TRAP = "leave_empty";
