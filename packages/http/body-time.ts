import type { IncomingMessage } from "node:http";
import { answerBrokenRequest } from "./broken-request.ts";

/**
 * Ends a request that has not arrived whole in time, with 408. A server has one limit for all of its
 * requests, which has to be that of the slowest.
 * @param ms milliseconds from now.
 */
export function limitBodyTime(request: IncomingMessage, ms: number): void {
  const { headers } = request;
  if (headers["content-length"] === undefined && headers["transfer-encoding"] === undefined) return;
  const timer = setTimeout(() => {
    if (request.complete !== false) return;
    answerBrokenRequest(new RequestTimeout(), request.socket);
    request.destroy();
  }, ms);
  timer.unref();
  request.once("close", () => clearTimeout(timer));
}

class RequestTimeout extends Error {
  override readonly name = "RequestTimeout";
  readonly code = "ERR_HTTP_REQUEST_TIMEOUT";
}
