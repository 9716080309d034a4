import { readdir, readFile, stat } from "node:fs/promises";
import path from "node:path";
import helmet from "@fastify/helmet";
import type { FastifyInstance, FastifyReply } from "fastify";
import PostalMime from "postal-mime";
import { escapeHtml } from "#contracts/escape-html.ts";
import { dateFormat } from "#contracts/format-dates.ts";
import { isLocalRequest } from "#runtime/net/client-address.ts";
import { breakpoint, color, fontFamily, radius, size } from "#theme/tokens.ts";

/**
 * `/outbox`: the emails in the embedded setup's folder, with working links, for programs on this machine
 * only. Register it only while the whole system listens on loopback.
 *
 * @param options.folder folder of `.eml` files that the mailer's file transport writes.
 * @param options.productName name of the registry, for page headings.
 */
export async function outboxRoutes(
  app: FastifyInstance,
  options: { folder: string; productName: string },
): Promise<void> {
  const { folder, productName } = options;
  await app.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        styleSrc: ["'unsafe-inline'"],
        baseUri: ["'none'"],
        formAction: ["'none'"],
        frameAncestors: ["'none'"],
      },
    },
    strictTransportSecurity: false,
    referrerPolicy: { policy: "no-referrer" },
  });
  app.addHook("onRequest", async (request, reply) => {
    const { headers, socket } = request.raw;
    if (!isLocalRequest({ headers, remoteAddress: socket.remoteAddress }))
      return sendPage(
        reply.code(403),
        messagePage(
          productName,
          "Not from here",
          "Mails are shown on the machine that the registry runs on.",
        ),
      );
  });
  app.get("/outbox", async (_request, reply) =>
    sendPage(reply, outboxPage(productName, await listMails(folder))),
  );
  app.get<{ Params: { file: string } }>("/outbox/:file", async (request, reply) => {
    const mail = await readMail(folder, request.params.file);
    return mail
      ? sendPage(reply, mailPage(productName, mail))
      : sendPage(
          reply.code(404),
          messagePage(productName, "No such email", "It may have been deleted."),
        );
  });
}

function sendPage(reply: FastifyReply, html: string): FastifyReply {
  return reply.type("text/html; charset=utf-8").header("cache-control", "no-store").send(html);
}

const style = `
  * { box-sizing: border-box; }
  body { margin: 0; background: ${color.ground}; color: ${color.ink}; font: 1rem/1.5 ${fontFamily}; }
  header { background: ${color.paper}; border-bottom: 1px solid ${color.line}; }
  header div { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; column-gap: 1.5rem; min-height: 56px; }
  header div, main { max-width: ${size.page}px; margin: 0 auto; padding-inline: 1rem; }
  header a { display: inline-flex; align-items: center; min-height: ${size.target}px; font-weight: 600; text-decoration: none; }
  nav { display: flex; gap: 1.5rem; }
  main { padding-block: 1.5rem 3rem; }
  h1 { margin: 0; font-size: 1.75rem; line-height: 1.25; font-weight: 600; overflow-wrap: anywhere; }
  p { margin: .25rem 0 1.5rem; }
  a { color: ${color.primary}; }
  a:focus-visible { outline: ${size.focusRing}px solid ${color.focus}; outline-offset: 2px; }
  .sheet { background: ${color.paper}; border: 1px solid ${color.line}; border-radius: ${radius.large}px; }
  table { width: 100%; border-collapse: separate; border-spacing: 0; }
  th, td { padding: .5rem 1rem; text-align: left; vertical-align: top; overflow-wrap: anywhere; }
  th { color: ${color.inkMuted}; font-weight: 600; }
  td { border-top: 1px solid ${color.line}; }
  time { font-variant-numeric: tabular-nums; white-space: nowrap; }
  pre { margin: 1.5rem 0 0; padding: 1rem; white-space: pre-wrap; overflow-wrap: anywhere; font: inherit; }
  dl { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: .25rem 1rem; margin: 1rem 0 0; }
  dt { color: ${color.inkMuted}; } dd { margin: 0; overflow-wrap: anywhere; }
  @media (max-width: ${breakpoint.medium - 1}px) {
    table, tbody, tr, td { display: block; }
    thead { display: none; }
    td { border: 0; padding-block: 0; }
    tr { padding-block: .75rem; }
    tr + tr { border-top: 1px solid ${color.line}; }
  }
`;

export function outboxPage(productName: string, mails: readonly Mail[]): string {
  const rows = mails.map(
    (mail) => `<tr>
  <td><a href="/outbox/${encodeURIComponent(mail.file)}">${escapeHtml(mail.subject || "(no subject)")}</a></td>
  <td>${escapeHtml(mail.to)}</td>
  <td><time datetime="${mail.at.toISOString()}">${formatTime(mail.at)}</time></td>
</tr>`,
  );
  return page(
    productName,
    "Outbox",
    `<h1>Outbox</h1>
<p>Emails are saved as files and not sent. This page can be opened only on this machine.</p>
${
  rows.length === 0
    ? '<p>No email yet. <a href="/report">Submit a report</a>, and its verification email appears here.</p>'
    : `<table class="sheet"><thead><tr><th scope="col">Subject</th><th scope="col">To</th><th scope="col">Written</th></tr></thead>
<tbody>${rows.join("\n")}</tbody></table>`
}`,
  );
}

export function mailPage(productName: string, mail: Mail): string {
  return page(
    productName,
    mail.subject || "Mail",
    `<p><a href="/outbox">All emails</a></p>
<h1>${escapeHtml(mail.subject || "(no subject)")}</h1>
<dl>
  <dt>To</dt><dd>${escapeHtml(mail.to)}</dd>
  <dt>From</dt><dd>${escapeHtml(mail.from)}</dd>
  <dt>Written</dt><dd><time datetime="${mail.at.toISOString()}">${formatTime(mail.at)}</time></dd>
</dl>
<pre class="sheet">${linkify(mail.text)}</pre>`,
  );
}

function messagePage(productName: string, title: string, message: string): string {
  return page(productName, title, `<h1>${escapeHtml(title)}</h1>\n<p>${escapeHtml(message)}</p>`);
}

function page(productName: string, title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escapeHtml(title)} | ${escapeHtml(productName)}</title>
<style>${style}</style>
</head>
<body>
<header><div>
<a href="/">${escapeHtml(productName)}</a>
<nav aria-label="Main"><a href="/">Site</a><a href="/admin">Console</a></nav>
</div></header>
<main>
${body}
</main>
</body>
</html>
`;
}

/** Converts plain text to HTML, with links for its http and https addresses. */
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

const formatTime = dateFormat({ dateStyle: "medium", timeStyle: "medium" });

type Mail = {
  file: string;
  to: string;
  from: string;
  subject: string;
  /** When the file was written. */
  at: Date;
  text: string;
};

const fileName = /^[\w.-]+\.eml$/;

/** Returns the path of an email, which is in its report's folder. Its file name starts with that report's ID. */
function pathOf(folder: string, file: string): string {
  return path.join(folder, file.split(".")[0] ?? "", file);
}

/** Lists a folder's emails, newest first. Skips emails that are removed while it reads. */
export async function listMails(folder: string, limit = 200): Promise<Mail[]> {
  const reports = await readdir(folder).catch(() => []);
  const inFolders = await Promise.all(
    reports.map((report) => readdir(path.join(folder, report)).catch(() => [])),
  );
  const names = inFolders.flat().filter((name) => fileName.test(name));
  const dated = await Promise.all(
    names.map(async (name) => ({
      name,
      at: (await stat(pathOf(folder, name)).catch(() => undefined))?.mtimeMs ?? 0,
    })),
  );
  dated.sort((a, b) => b.at - a.at || b.name.localeCompare(a.name));
  const mails = await Promise.all(dated.slice(0, limit).map(({ name }) => readMail(folder, name)));
  return mails.filter((mail) => mail !== undefined);
}

async function readMail(folder: string, file: string): Promise<Mail | undefined> {
  if (!fileName.test(file)) return undefined;
  const source = pathOf(folder, file);
  try {
    const [content, { mtime }] = await Promise.all([readFile(source), stat(source)]);
    const mail = await PostalMime.parse(content);
    return {
      file,
      to: (mail.to ?? []).map(({ address = "" }) => address).join(", "),
      from: mail.from?.address ?? "",
      subject: mail.subject ?? "",
      at: mtime,
      text: mail.text ?? "",
    };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}
