import type { Socket } from "node:net";
import { fail } from "./envelope.ts";
import { errorStatuses, messages } from "./errors.ts";
import { STRICT_TRANSPORT } from "./strict-transport.ts";

/**
 * Answers bytes that are not an HTTP request, for which no request object exists. Used by every
 * server.
 */
export function answerBrokenRequest(error: Error & { code?: string }, socket: Socket): void {
  if (!socket.writable || error.code === "ECONNRESET") {
    socket.destroy();
    return;
  }
  const code =
    error.code === "HPE_HEADER_OVERFLOW"
      ? "headers_too_large"
      : error.code === "ERR_HTTP_REQUEST_TIMEOUT"
        ? "request_timeout"
        : "invalid_request";
  const body = JSON.stringify(fail(code, messages[code]));
  socket.end(
    `HTTP/1.1 ${errorStatuses[code]} ${code}\r\nContent-Type: application/json; charset=utf-8\r\n` +
      `Strict-Transport-Security: ${STRICT_TRANSPORT}\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}
