import http from "node:http";
import type { HttpRequest } from "./http-load.ts";

export interface Answer {
  readonly status: number;
  /** Names and values in turn, as they arrived. */
  readonly rawHeaders: readonly string[];
  readonly body: string;
  /** Milliseconds from sending the request to the last byte of its reply. */
  readonly ms: number;
}

export type Exchange = (request: HttpRequest) => Promise<Answer>;

/**
 * Sends requests over the connections of an agent, and repeats one whose idle connection the server
 * has just closed. @throws Error if there is no reply.
 */
export function createExchange(url: string, agent: http.Agent): Exchange {
  return ({ method, path, body }) => {
    const text = body && JSON.stringify(body);
    const headers = text
      ? { "content-type": "application/json", "content-length": Buffer.byteLength(text) }
      : {};
    const start = performance.now();
    const send = (resolve: (answer: Answer) => void, reject: (error: Error) => void) => {
      const request = http.request(`${url}${path}`, { method, agent, headers }, (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("error", reject);
        response.on("end", () =>
          resolve({
            status: response.statusCode ?? 0,
            rawHeaders: response.rawHeaders,
            body: Buffer.concat(chunks).toString(),
            ms: performance.now() - start,
          }),
        );
      });
      request.on("error", (error: NodeJS.ErrnoException) => {
        if (request.reusedSocket && error.code === "ECONNRESET") send(resolve, reject);
        else reject(error);
      });
      request.end(text);
    };
    return new Promise(send);
  };
}
