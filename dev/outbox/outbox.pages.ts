import type { Mail } from "./mail-folder.ts";

const style = `
  body { margin: 0 auto; max-width: 60rem; padding: 1.5rem; font: 1rem/1.5 system-ui, sans-serif; color: #1b2430; }
  h1 { font-size: 1.75rem; line-height: 1.25; }
  table { width: 100%; border-collapse: collapse; }
  th, td { padding: .5rem; text-align: left; border-bottom: 1px solid #d5dbe3; vertical-align: top; }
  td:last-child { white-space: nowrap; font-variant-numeric: tabular-nums; }
  a { color: #0b4a8f; }
  pre { white-space: pre-wrap; overflow-wrap: anywhere; padding: 1rem; border: 1px solid #d5dbe3; font: inherit; }
  dl { display: grid; grid-template-columns: max-content 1fr; gap: .25rem 1rem; }
  dt { font-weight: 600; } dd { margin: 0; overflow-wrap: anywhere; }
`;

/** The list of mails, as a page. */
export function outboxPage(mails: readonly Mail[]): string {
  const rows = mails.map(
    (mail) => `<tr>
  <td>${escapeHtml(mail.to)}</td>
  <td><a href="/outbox/${encodeURIComponent(mail.file)}">${escapeHtml(mail.subject || "(no subject)")}</a></td>
  <td><time datetime="${mail.at.toISOString()}">${formatTime(mail.at)}</time></td>
</tr>`,
  );
  return page(
    "Outbox",
    `<h1>Outbox</h1>
<p>Mails are kept as files and sent to nobody. This page answers on this machine only.</p>
${
  rows.length === 0
    ? "<p>No mail yet. Submit a report, and its verification mail appears here.</p>"
    : `<table><thead><tr><th scope="col">To</th><th scope="col">Subject</th><th scope="col">Written</th></tr></thead>
<tbody>${rows.join("\n")}</tbody></table>`
}`,
  );
}

/** One mail, as a page whose links work. */
export function mailPage(mail: Mail): string {
  return page(
    mail.subject || "Mail",
    `<p><a href="/outbox">All mails</a></p>
<h1>${escapeHtml(mail.subject || "(no subject)")}</h1>
<dl>
  <dt>To</dt><dd>${escapeHtml(mail.to)}</dd>
  <dt>From</dt><dd>${escapeHtml(mail.from)}</dd>
  <dt>Written</dt><dd><time datetime="${mail.at.toISOString()}">${formatTime(mail.at)}</time></dd>
</dl>
<pre>${linkify(mail.text)}</pre>`,
  );
}

/** A short message in the place of a page. */
export function messagePage(title: string, message: string): string {
  return page(title, `<h1>${escapeHtml(title)}</h1>\n<p>${escapeHtml(message)}</p>`);
}

function page(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escapeHtml(title)}</title>
<style>${style}</style>
</head>
<body>
<main>
${body}
</main>
</body>
</html>
`;
}

/** Plain text as HTML, with its http and https addresses as links. */
export function linkify(text: string): string {
  const address = /https?:\/\/[^\s<>"']+[^\s<>"'.,;:!?)\]]/g;
  let html = "";
  let end = 0;
  for (const match of text.matchAll(address)) {
    const url = escapeHtml(match[0]);
    html += `${escapeHtml(text.slice(end, match.index))}<a href="${url}" rel="noreferrer">${url}</a>`;
    end = match.index + match[0].length;
  }
  return html + escapeHtml(text.slice(end));
}

export function escapeHtml(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;");
}

function formatTime(at: Date): string {
  return new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "medium" }).format(at);
}
