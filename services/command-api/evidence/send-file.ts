import type { Readable } from "node:stream";
import type { FastifyReply } from "fastify";

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
