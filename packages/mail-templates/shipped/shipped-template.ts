/** The words of one kind of mail as the software ships them, in Liquid and Markdown. */
export interface ShippedTemplate {
  /** One line of Liquid. */
  readonly subject: string;
  /** Paragraphs, without the warning. The first version of every template of the kind. */
  readonly body: string;
  /** The last paragraph of a mail of security, which stands below whatever a template says. */
  readonly warning?: string;
  /** What the mail's button says. No template has the button's link, so none can leave it out or lend it. */
  readonly action?: string;
}

/** Greets by first name, or without a name for an address that is not confirmed. */
export const HELLO = `Hello{% if first_name != "" %} {{ first_name }}{% endif %},`;

/** `report "Title"`, or just `report` for an address that is not confirmed. */
export const REPORT = `report{% if title != "" %} "{{ title }}"{% endif %}`;

/** " on 22 November 2026 at 10:00 (UTC)", where it is known when it happened. */
export const WHEN = `{% if when != "" %} on {{ when }}{% endif %}`;

/** A paragraph of its own, where there is a reason. */
export const REASON = `{% if reason != "" %}Reason: {{ reason }}{% endif %}`;

/** Joins paragraphs. One that renders to nothing leaves nothing. */
export function paragraphs(...all: readonly string[]): string {
  return all.join("\n\n");
}
