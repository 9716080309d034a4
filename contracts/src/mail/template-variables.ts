/** A value that a template may use as `{{ name }}`. */
export interface TemplateVariable {
  /** Description in the console's list. */
  readonly label: string;
  /** Value in previews and test emails; a number may be compared. */
  readonly sample: string | number;
  /**
   * Whether someone wrote it. Empty for an unconfirmed address; no email to one may declare it, except for staff
   * answers.
   */
  readonly isUserText?: true;
}

/** All variables. `template-kinds.ts` lists those of each kind. */
export const templateVariables = {
  product_name: { label: "Name of the registry", sample: "Fraud Registry" },
  site_url: {
    label: "Address of the site; every link starts with it",
    sample: "https://registry.example",
  },
  first_name: {
    label: "First name; empty while the address is not confirmed",
    sample: "Rae",
    isUserText: true,
  },
  title: {
    label: "Title of the report; empty while the address is not confirmed",
    sample: "Chargeback after delivery",
    isUserText: true,
  },
  reason: {
    label: "Reason of the decision; may be empty",
    sample: "The evidence does not show the delivery.",
    isUserText: true,
  },
  question: {
    label: "The moderator's question; may be empty",
    sample: "On which day did the parcel arrive?",
    isUserText: true,
  },
  answer: {
    label: "What staff answered",
    sample: "Yes. You can start on December 1.",
    isUserText: true,
  },
  when: { label: "When it happened", sample: "November 22, 2026 at 10:00 AM (UTC)" },
  until: {
    label: "When the ban or suspension ends; empty without an end",
    sample: "November 29, 2026 at 10:00 AM (UTC)",
  },
  erased: {
    label: "When the account is erased, as words",
    sample: "on November 28, 2026 at 10:00 AM (UTC)",
  },
  is_erased: { label: "yes if the account's data is erased, otherwise empty", sample: "yes" },
  number: { label: "Number that the sender may quote", sample: "E-7F3K-2M9Q" },
  form: { label: "What was sent, inside a sentence", sample: "law enforcement request" },
  form_title: { label: "What was sent, as a title", sample: "Law enforcement request" },
  promise: { label: "When the sender hears from us", sample: "We answer within 24 hours." },
  refusal: {
    label: "Why a notice is refused, in the fixed words of its reason",
    sample: "It isn't about copyright.",
  },
  counter_number: { label: "Number of the counter-notice", sample: "C-4D1B0-88E2F" },
  back_first: { label: "First day on which material may be back", sample: "December 8, 2026" },
  back_last: { label: "Last day on which material may be back", sample: "December 14, 2026" },
  fee: { label: "Fee of the RESOLVED banner", sample: "$250.00" },
  week_start: { label: "First day of the week", sample: "November 16, 2026" },
  week_end: { label: "Last day of the week", sample: "November 22, 2026" },
  views: { label: "Report views", sample: 1200 },
  approved: { label: "Reports that were published", sample: 1 },
  rejected: { label: "Reports that were not published", sample: 0 },
  further: { label: "Reports by others on the same people", sample: 2 },
} as const satisfies Readonly<Record<string, TemplateVariable>>;

export type TemplateVariableName = keyof typeof templateVariables;

/** Values of one email, by name. */
export type TemplateValues = Readonly<Partial<Record<TemplateVariableName, string | number>>>;
