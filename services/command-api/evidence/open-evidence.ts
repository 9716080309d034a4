import { randomUUID } from "node:crypto";
import type { Pool } from "pg";
import { DomainError } from "#contracts/domain-error.ts";
import { given } from "#contracts/given.ts";
import type { Upload } from "#contracts/http/evidence.ts";
import { FILE_BYTES, MEGABYTE } from "#contracts/report/evidence-rules.ts";
import type { Settings } from "#contracts/settings/settings-at.ts";
import type { EventStore } from "#event-store/port.ts";
import { openFileStore } from "#files/open-file-store.ts";
import { filesCheck } from "#files/port.ts";
import { SealedFiles } from "#files/sealed-files.ts";
import { messages } from "#http/errors.ts";
import { RateLimited } from "#http/limits.ts";
import { Pictures } from "#pictures/pictures.ts";
import type { KeyStore } from "#vault/keys/key-store.ts";
import type { CommandHandler } from "../kernel/handler.ts";
import type { OwnAccount } from "../report/own-account.ts";
import { clamavAt, type Scan } from "./clamav.ts";
import { EvidencePublishingService } from "./evidence-publishing.service.ts";
import { EvidenceViewService } from "./evidence-view.service.ts";
import { refusalOfFile } from "./file-bodies.ts";
import { atMost, fileTooLarge, whole } from "./file-content.ts";
import { Receiving } from "./receiving.ts";
import { hashOfSecret, isSecretOf, newSecret, UploadStore } from "./upload.store.ts";
import { UploadClaims } from "./upload-claims.ts";
import { UploadRemoval } from "./upload-removal.ts";

export type Evidence = ReturnType<typeof openEvidence>;

/** Opens everything about files, over the stores of the service and one for files. */
export function openEvidence(stores: {
  readonly handler: CommandHandler;
  readonly own: OwnAccount;
  readonly pool: Pool;
  readonly keys: KeyStore;
  readonly store: EventStore;
  readonly filesUrl: string;
  /** `tcp://` URL of a ClamAV daemon; absent: uploads are not scanned. */
  readonly clamavUrl?: string | undefined;
  /** Told of files that were not removed at once; the hourly sweep does it again. */
  readonly onLate: (error: unknown) => void;
  /** What applies now. */
  readonly settings: () => Settings;
}) {
  const { handler, own, keys, onLate } = stores;
  const stored = openFileStore(stores.filesUrl);
  const files = new SealedFiles({ files: stored, keys });
  const rows = new UploadStore(stores.pool);
  const removal = new UploadRemoval({ uploads: rows, files, store: stores.store });
  const pictures = new Pictures();
  const scan = stores.clamavUrl === undefined ? undefined : clamavAt(stores.clamavUrl);
  return {
    files,
    removal,
    claims: new UploadClaims(rows),
    uploads: new UploadService({
      uploads: rows,
      removal,
      files,
      pictures,
      scan,
      maxFileSize: () => stores.settings().maxFileSize,
    }),
    views: new EvidenceViewService({ handler, own, files }),
    publishing: new EvidencePublishingService({
      handler,
      own,
      keys,
      files,
      pictures,
      uploads: rows,
      removal,
      onLate,
    }),
    onLate,
    stored,
    checks: filesCheck(stored),
    /** Call it when nobody uses it any more. */
    async close() {
      await pictures.close();
      await stored.close();
    },
  };
}

const HOUR_MS = 3_600_000;
/** A picture may grow when it is encoded again. */
const STORED_BYTES = 2 * FILE_BYTES;

interface Deps {
  readonly uploads: UploadStore;
  readonly removal: Pick<UploadRemoval, "finish">;
  readonly files: Pick<SealedFiles, "put">;
  readonly pictures: Pick<Pictures, "prepare">;
  /** Absent: files are not scanned. */
  readonly scan?: Scan | undefined;
  /** Most megabytes of a file now. */
  readonly maxFileSize: () => number;
}

/** Takes files before there is a report that names them. */
class UploadService {
  readonly #deps: Deps;
  readonly #receiving = new Receiving();

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Most bytes of a file now. */
  readonly mostBytes = (): number => this.#deps.maxFileSize() * MEGABYTE;

  /**
   * Takes one file: checks what it is, encodes pictures again, and stores it sealed.
   * @param sent `bytes`: its size if that was announced; `network`, `wideNetwork`: keyed hashes of the sender's address and of its /16 or /48;
   *   `secret`: the same for each attempt to send one file, if the sender chose one. What an earlier attempt
   *   left is removed first, so that a lost reply leaves nothing behind.
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
    const { uploads, removal } = this.#deps;
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
        // What fails here is done by the next sweep.
        await removal.finish([id], now).catch(() => undefined);
        throw refusalOfFile(error);
      }
    });
  }

  /**
   * Removes a file that no report names.
   * @throws {DomainError} `not_found` for an unknown id and for a wrong secret; `upload_used`.
   */
  async remove(id: string, secret: string, now: string): Promise<void> {
    const { uploads, removal } = this.#deps;
    const upload = await uploads.find(id);
    if (!isSecretOf(upload?.secretHash, secret))
      throw new DomainError("not_found", messages.not_found);
    if (!(await uploads.removeFree(id, now)))
      throw new DomainError("upload_used", "This file already belongs to a report.");
    await removal.finish([id], now);
  }

  async #removeEarlier(secretHash: string, now: string): Promise<void> {
    const { uploads, removal } = this.#deps;
    const earlier = await uploads.removeFreeOf(secretHash, now);
    if (earlier.length > 0) await removal.finish(earlier, now);
  }

  async #store(id: string, sent: Buffer) {
    const { uploads, files, pictures, scan } = this.#deps;
    // What was sent, since a new encoding of a picture holds nothing any more.
    await scan?.(sent);
    const prepared = await pictures.prepare(sent);
    const { type } = prepared;
    const { bytes, sha256 } = await files.put(id, whole(prepared.content), STORED_BYTES);
    if (!(await uploads.complete(id, { type, bytes, sha256 })))
      throw new DomainError("unavailable", messages.unavailable);
    const preview = prepared.kind === "picture" ? prepared.preview.toString("base64") : undefined;
    return { type, size: bytes, ...given({ preview }) };
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
