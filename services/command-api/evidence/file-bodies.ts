import type { FastifyRequest } from "fastify";
import { FILE_BYTES } from "#contracts/report/evidence-rules.ts";
import type { ServiceInstance } from "#http/service.ts";
import { fileTooLarge } from "./file-content.ts";
import { PlaceLost } from "./receiving.ts";

/**
 * Lets the routes of this scope, and of no other, take a file as their body and read it themselves.
 * @param mostBytes of a file now.
 */
export function takeFiles(scope: ServiceInstance, mostBytes = () => FILE_BYTES): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser("*", (request, _payload, next) => {
    const bytes = announced(request);
    const most = mostBytes();
    next(bytes !== undefined && bytes > most ? fileTooLarge(most) : null, undefined);
  });
  // Otherwise the rest of the file would go on arriving, at its sender's pace.
  scope.addHook("onError", async (_request, reply, error) => {
    if (error instanceof PlaceLost) reply.header("connection", "close");
  });
}

/** The size that the request announces; undefined when it announces none. */
export function announced({ headers }: FastifyRequest): number | undefined {
  const length = headers["content-length"];
  return length === undefined ? undefined : Number(length);
}

/** The body as it arrives. A refusal does not close the connection that carries it. */
export function contentOf({ raw }: FastifyRequest): AsyncIterable<Uint8Array> {
  return raw.iterator({ destroyOnReturn: false });
}
