import { escapeHtml } from "#contracts/escape-html.ts";
import { UNSUBSCRIBE_SCOPES, type UnsubscribeScope } from "#contracts/mail/unsubscribe.ts";

/** The unsubscribe link below an email. */
export interface Unsubscribe {
  readonly scope: UnsubscribeScope;
  readonly url: string;
}

/** The report that an email is about, as its reporter knows it. */
export interface ReportReference {
  readonly number: string;
  /** The report's status page. */
  readonly url: string;
}

/** The text of one email. Links are in `action`. */
export interface MailText {
  readonly subject: string;
  /** Output of a template; its HTML is safe. */
  readonly rendered?: { readonly text: string; readonly html: string };
  /** Plain text, below `rendered`. */
  readonly paragraphs: readonly string[];
  readonly action?: { readonly label: string; readonly url: string };
}

export interface Letterhead {
  readonly productName: string;
  readonly supportEmail: string;
}

/** Lays out an email as plain text and HTML. Escapes HTML, because reporters choose names and titles. */
export function layOut(
  mail: MailText,
  { productName, supportEmail }: Letterhead,
  {
    report,
    unsubscribe,
  }: { readonly report?: ReportReference; readonly unsubscribe?: Unsubscribe } = {},
) {
  const { subject, rendered, paragraphs, action } = mail;
  const closing = `${productName}. Questions: ${supportEmail}`;
  const where = report ? `Check the status of report ${report.number}` : "";
  const off = unsubscribe ? `Stop ${UNSUBSCRIBE_SCOPES[unsubscribe.scope]}` : "";
  const text = [
    ...(rendered ? [rendered.text] : []),
    ...paragraphs,
    ...(action ? [`${action.label}:\n${action.url}`] : []),
    ...(report ? [`${where}:\n${report.url}`] : []),
    `-- \n${closing}`,
    ...(unsubscribe ? [`${off}:\n${unsubscribe.url}`] : []),
  ].join("\n\n");
  const body = [
    ...(rendered ? [rendered.html] : []),
    ...paragraphs.map((paragraph) => `<p>${escapeHtml(paragraph).replaceAll("\n", "<br>")}</p>`),
  ].join("\n");
  const link = action
    ? `<p><a href="${escapeHtml(action.url)}" style="display:inline-block;padding:12px 20px;border-radius:4px;background:#12355b;color:#ffffff;text-decoration:none">${escapeHtml(action.label)}</a></p>
<p style="font-size:14px;color:#444444">If the button doesn't work, open this link:<br>${escapeHtml(action.url)}</p>`
    : "";
  const html = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${escapeHtml(subject)}</title></head>
<body style="font:16px/24px Arial,sans-serif;color:#1a1a1a;max-width:600px">
${body}
${link}
${report ? `<p style="font-size:14px"><a href="${escapeHtml(report.url)}" style="color:#12355b">${where}</a></p>` : ""}
<p style="font-size:14px;color:#444444">${escapeHtml(closing)}</p>
${unsubscribe ? `<p style="font-size:14px"><a href="${escapeHtml(unsubscribe.url)}" style="color:#444444">${off}</a></p>` : ""}
</body></html>`;
  return { subject, text, html };
}

/** Puts untrusted text on one line, so that it can't look like paragraphs of the email. */
export function oneLine(text: string): string {
  return text.replace(/[\s\p{Cc}]+/gu, " ").trim();
}
