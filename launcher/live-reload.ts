import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { FastifyInstance } from "fastify";
import { omitUndefined } from "#contracts/omit-undefined.ts";

/** Different in every process, so that pages notice a restart. */
const bootId = randomUUID();

const script = `let boot;
function listen() {
  const events = new EventSource("/__dev/changes");
  events.onmessage = ({ data }) => {
    if (boot !== undefined && boot !== data) location.reload();
    boot = data;
  };
  events.onerror = () => {
    if (events.readyState === EventSource.CLOSED) setTimeout(listen, 500);
  };
}
listen();
`;

/** Serves the script that reloads pages after the services restart, and the event stream it listens to. */
export async function liveReloadRoutes(app: FastifyInstance): Promise<void> {
  app.get("/__dev/reload.js", (_request, reply) => reply.type("text/javascript").send(script));
  app.get("/__dev/changes", (_request, reply) => {
    reply.hijack();
    reply.raw.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-store" });
    reply.raw.write(`retry: 300\ndata: ${bootId}\n\n`);
  });
}

/** Whether the request is a browser's navigation to a page. */
export function asksForPage(request: IncomingMessage): boolean {
  return request.method === "GET" && (request.headers.accept ?? "").includes("text/html");
}

/** Answers with the app's page including the reload script. */
export async function answerWithReload(
  app: FastifyInstance,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { "accept-encoding": _, ...headers } = request.headers;
  const answer = await app.inject({
    method: "GET",
    url: request.url ?? "/",
    headers: headers as Record<string, string>,
    ...omitUndefined({ remoteAddress: request.socket.remoteAddress }),
  });
  const { "content-length": __, ...kept } = answer.headers;
  const isPage = String(kept["content-type"] ?? "").startsWith("text/html");
  const policy = String(kept["content-security-policy"] ?? "");
  response.writeHead(answer.statusCode, kept as Record<string, string>);
  response.end(isPage ? withReloadScript(answer.body, policy) : answer.rawPayload);
}

/** Adds the script at the end of a page, with the nonce from the page's content security policy. */
export function withReloadScript(html: string, policy: string): string {
  const scriptPolicy = /script-src ([^;]*)/.exec(policy)?.[1] ?? "";
  const nonce = /'nonce-([^']+)'/.exec(scriptPolicy)?.[1];
  const tag = `<script src="/__dev/reload.js"${nonce ? ` nonce="${nonce}"` : ""} async></script>`;
  return html.includes("</body>") ? html.replace("</body>", `${tag}</body>`) : html + tag;
}
