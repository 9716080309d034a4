import { randomUUID } from "node:crypto";
import type { FastifyRequest } from "fastify";
import { DomainError } from "#contracts/domain-error.ts";
import { DoneReply } from "#contracts/http/envelope.ts";
import { type Upload, UploadReply } from "#contracts/http/evidence.ts";
import { omitUndefined } from "#contracts/omit-undefined.ts";
import {
  FILE_BYTES,
  MEGABYTE,
  UPLOAD_SECRET,
  UPLOAD_SECRET_SHAPE,
} from "#contracts/report/evidence-rules.ts";
import { ReportId, strict } from "#contracts/report/fields.ts";
import { REPORTERS } from "#http/actor.ts";
import { UPLOAD_BOUNDS, UPLOAD_MS, UPLOADS } from "#http/bounds.ts";
import { done, succeed } from "#http/envelope.ts";
import { messages } from "#http/errors.ts";
import { addressKey, RateLimited, wideAddressKey } from "#http/limits.ts";
import type { ServiceInstance } from "#http/service.ts";
import { commandsOf } from "../kernel/command-route.ts";
import { hashOfSecret, isSecretOf, newSecret } from "../kernel/secrets.ts";
import { Service } from "../kernel/service.ts";
import type { WriteSide } from "../write-side.ts";
import {
  announced,
  atMost,
  contentOf,
  fileTooLarge,
  refusalOfFile,
  takeFiles,
  UploadSlots,
  whole,
} from "./file-bodies.ts";

/** Milliseconds for an upload on a slow connection, plus processing. */
const HANDLED_MS = UPLOAD_MS + 30_000;

/** Adds the routes for uploading files before their report is submitted. */
export async function uploadRoutes(app: ServiceInstance, side: WriteSide): Promise<void> {
  const { blind } = side;
  const uploads = new UploadService(side);
  const command = commandsOf(app, "submitting");
  command("DELETE", "/prod/api/uploads/:id", {
    roles: REPORTERS,
    limit: "upload",
    summary:
      "Remove an uploaded file that isn't attached to a report, with its secret in X-Upload-Secret",
    params: strict({ id: ReportId }),
    body: strict({}),
    reply: DoneReply,
    async run(request) {
      await uploads.remove(request.params.id, secretOf(request), request.caller.now);
      return done("File removed.");
    },
  });

  // A separate scope, because only here can the body be anything, and the handler reads it.
  await app.register(async (scope) => {
    takeFiles(scope, uploads.mostBytes);
    scope.route({
      method: "POST",
      url: UPLOADS,
      handlerTimeout: HANDLED_MS,
      config: { roles: [...REPORTERS], limit: "upload", bounds: UPLOAD_BOUNDS },
      schema: {
        tags: ["submitting"],
        summary:
          "Upload the file in the body before submitting its report; repeating the secret in X-Upload-Secret replaces an earlier attempt",
        consumes: ["application/octet-stream"],
        response: { 200: UploadReply },
      },
      handler: async (request) => {
        const upload = await uploads.receive({
          content: contentOf(request),
          bytes: announced(request),
          network: blind("upload_network", addressKey(request.ip)),
          wideNetwork: blind("upload_network", wideAddressKey(request.ip)),
          secret: chosenSecret(request),
          now: request.caller.now,
        });
        return succeed(upload);
      },
    });
  });
}

/** @throws {DomainError} `invalid_request` if it is missing or malformed. */
function secretOf(request: FastifyRequest): string {
  const secret = chosenSecret(request);
  if (secret) return secret;
  const problem = "The secret of the upload is missing";
  throw new DomainError("invalid_request", `${problem}.`, { [UPLOAD_SECRET]: problem });
}

/** The secret that the sender chose; undefined if there is none. @throws {DomainError} `invalid_request` */
function chosenSecret({ headers }: FastifyRequest): string | undefined {
  const secret = headers[UPLOAD_SECRET];
  if (secret === undefined || secret === "") return undefined;
  if (typeof secret === "string" && UPLOAD_SECRET_SHAPE.test(secret)) return secret;
  const problem = "An upload secret must be 43 letters, digits, - or _";
  throw new DomainError("invalid_request", `${problem}.`, { [UPLOAD_SECRET]: problem });
}

const HOUR_MS = 3_600_000;
/** A picture may grow when re-encoded. */
const STORED_BYTES = 2 * FILE_BYTES;

type Deps = Pick<WriteSide, "uploads" | "removal" | "files" | "pictures" | "scan" | "settings">;

class UploadService extends Service<Deps> {
  readonly #receiving = new UploadSlots();

  readonly mostBytes = (): number => this.deps.settings().maxFileSize * MEGABYTE;

  /**
   * Accepts one file: checks its type, re-encodes pictures, and stores it encrypted.
   * @param sent `bytes`: announced size, if any; `network`, `wideNetwork`: keyed hashes of the sender's address
   *   and its /16 or /48; `secret`: the same for each attempt to send one file, if the sender chose one.
   *   Leftovers of an earlier attempt are removed first, so that a lost reply leaves nothing behind.
   * @throws {DomainError} `file_refused`, `too_large`, `too_many_requests`, `unavailable`.
   */
  async receive(sent: {
    readonly content: AsyncIterable<Uint8Array>;
    readonly bytes: number | undefined;
    readonly network: string;
    readonly wideNetwork: string;
    readonly secret?: string | undefined;
    readonly now: string;
  }): Promise<Upload> {
    const { uploads, removal } = this.deps;
    const most = this.mostBytes();
    const { network, wideNetwork, now, bytes = most, secret = newSecret() } = sent;
    if (bytes > most) throw fileTooLarge(most);
    const secretHash = hashOfSecret(secret);
    return this.#receiving.run({ network, attempt: secretHash }, async (read) => {
      const id = randomUUID();
      if (sent.secret !== undefined) await this.#removeEarlier(secretHash, now);
      const reserved = await uploads.reserve({ id, secretHash, network, wideNetwork, bytes, now });
      if ("full" in reserved) throw tooMany(reserved.full);
      try {
        if (reserved.gaveWay.length > 0) await removal.finish(reserved.gaveWay, now);
        return { id, secret, ...(await this.#store(id, await read(atMost(sent.content, most)))) };
      } catch (error) {
        await uploads.remove([id], now);
        // The next sweep completes this if it fails.
        await removal.finish([id], now).catch(() => undefined);
        throw refusalOfFile(error);
      }
    });
  }

  /** Removes an unattached file. @throws {DomainError} `not_found`, also for a wrong secret; `upload_used` */
  async remove(id: string, secret: string, now: string): Promise<void> {
    const { uploads, removal } = this.deps;
    const upload = await uploads.find(id);
    if (!isSecretOf(upload?.secretHash, secret))
      throw new DomainError("not_found", messages.not_found);
    if (!(await uploads.removeFree(id, now)))
      throw new DomainError("upload_used", "This file already belongs to a report.");
    await removal.finish([id], now);
  }

  async #removeEarlier(secretHash: string, now: string): Promise<void> {
    const { uploads, removal } = this.deps;
    const earlier = await uploads.removeFreeOf(secretHash, now);
    if (earlier.length > 0) await removal.finish(earlier, now);
  }

  async #store(id: string, sent: Buffer) {
    const { uploads, files, pictures, scan } = this.deps;
    // Scan the original, because re-encoding drops anything harmful.
    await scan?.(sent);
    const prepared = await pictures.prepare(sent);
    const { type } = prepared;
    const { bytes, sha256 } = await files.put(id, whole(prepared.content), STORED_BYTES);
    if (!(await uploads.complete(id, { type, bytes, sha256 })))
      throw new DomainError("unavailable", messages.unavailable);
    const preview = prepared.kind === "picture" ? prepared.preview.toString("base64") : undefined;
    return { type, size: bytes, ...omitUndefined({ preview }) };
  }
}

function tooMany(full: "network" | "all"): DomainError {
  return full === "network"
    ? new RateLimited(
        HOUR_MS,
        "Too many files from your network aren't attached to a report yet. Remove some, or submit the report first.",
      )
    : new DomainError(
        "unavailable",
        "We can't store more files right now. Please try again later, or submit without them.",
      );
}
