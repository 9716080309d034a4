import type { Readable } from "node:stream";
import type { FastifyReply, FastifyRequest } from "fastify";
import { DomainError } from "#contracts/domain-error.ts";
import { FILE_BYTES } from "#contracts/report/evidence-rules.ts";
import { FileTooLarge } from "#files/port.ts";
import { messages } from "#http/errors.ts";
import type { ServiceInstance } from "#http/service.ts";
import { FileRefused, PicturesBusy } from "#pictures/pictures.ts";
import { FileInfected, ScannerAway } from "./clamav.ts";
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

/** Sends a file as a download: a browser never shows it itself, whatever is in it. */
export function sendFile(
  reply: FastifyReply,
  file: {
    readonly name: string;
    readonly type: string;
    readonly bytes: number;
    readonly content: Readable;
  },
): FastifyReply {
  const name = encodeURIComponent(file.name).replace(/['()*]/g, escape);
  return reply
    .type(file.type)
    .header("content-length", file.bytes)
    .header("content-disposition", `attachment; filename*=UTF-8''${name}`)
    .send(file.content);
}

/** What a caller is told of a file that cannot be taken; other errors as they are. */
export function refusalOfFile(error: unknown): unknown {
  if (error instanceof FileRefused) return new DomainError("file_refused", error.message);
  if (error instanceof FileTooLarge) return fileTooLarge();
  if (error instanceof FileInfected)
    return new DomainError(
      "file_refused",
      "Our virus scanner found something harmful in this file, so we didn't accept it. Try another copy, for example a picture of it.",
    );
  if (error instanceof ScannerAway)
    return new DomainError(
      "unavailable",
      "We can't check files for viruses right now, so we didn't accept this one. Please try again in a moment, or submit without it.",
    );
  if (error instanceof PicturesBusy) return new DomainError("unavailable", messages.unavailable);
  return error;
}
