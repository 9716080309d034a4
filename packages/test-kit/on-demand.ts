import { once } from "node:events";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";

/** Something that the tests of a run share. */
export interface Shared {
  /** What tests need to know about it; sent as JSON. */
  readonly answer: object;
  close(): Promise<unknown>;
}

/** Hands out what the tests of a run share. */
export interface SharedServer {
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Serves shared resources by name and opens each when the first test asks, so that a run pays only for what it
 * needs.
 */
export async function openSharedServer(
  open: (name: string) => Promise<Shared>,
): Promise<SharedServer> {
  const opened = new Map<string, Promise<Shared>>();
  const server = http.createServer(async (request, response) => {
    const name = request.url?.slice(1) ?? "";
    if (!opened.has(name)) opened.set(name, open(name));
    const answer = await opened.get(name)?.then(
      (shared) => shared.answer,
      (error: Error) => ({ failed: error.message }),
    );
    response.setHeader("content-type", "application/json").end(JSON.stringify(answer));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.close();
      server.closeAllConnections();
      const all = await Promise.allSettled(opened.values());
      await Promise.all(all.map((one) => one.status === "fulfilled" && one.value.close()));
    },
  };
}

/**
 * Requests a resource by name, without a time limit: a server may take minutes to start on a busy machine.
 *
 * @throws Error if it could not be opened.
 */
export function requestShared<Answer extends object>(url: string, name = ""): Promise<Answer> {
  return new Promise((resolve, reject) => {
    http
      .get(`${url}/${name}`, async (response) => {
        const answer = (await json(response)) as Answer | { readonly failed: string };
        if ("failed" in answer) reject(new Error(answer.failed));
        else resolve(answer);
      })
      .on("error", reject);
  });
}
