/** The default text of one kind of email, in Liquid and Markdown. */
export interface ShippedTemplate {
  /** One line of Liquid. */
  readonly subject: string;
  /** Paragraphs, without the warning. The first version of every template of the kind. */
  readonly body: string;
  /** The last paragraph of a security email, added below any template. */
  readonly warning?: string;
  /** The label of the button. Templates can't use its link, so none can omit or reuse it. */
  readonly action?: string;
}

/** Greets by first name, or without a name if the address isn't confirmed. */
export const HELLO = `Hello{% if first_name != "" %} {{ first_name }}{% endif %},`;

/** `report "Title"`, or just `report` if the address isn't confirmed. */
export const REPORT = `report{% if title != "" %} "{{ title }}"{% endif %}`;

/** " on November 22, 2026 at 10:00 AM (UTC)"; empty if the time is unknown. */
export const WHEN = `{% if when != "" %} on {{ when }}{% endif %}`;

/** A separate paragraph; empty without a reason. */
export const REASON = `{% if reason != "" %}Reason: {{ reason }}{% endif %}`;

/** Joins paragraphs; rendering drops empty ones. */
export function paragraphs(...all: readonly string[]): string {
  return all.join("\n\n");
}
