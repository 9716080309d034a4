import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  type S3Client,
  UploadPartCommand,
} from "@aws-sdk/client-s3";
import { briefly, createS3Client, statusOf } from "#files/s3/s3-file-store.ts";
import type { S3Address } from "#files/s3/s3-url.ts";
import { Refusal } from "#runtime/lifecycle/refusal.ts";
import { inParts } from "#vault/sealing/file-seal.ts";
import {
  ABANDONED_MS,
  type ArchivePlace,
  archivePath,
  fileOfName,
  isArchiveName,
  type KeptArchive,
  MARKER_FILE,
  nameOfFile,
  openArchiveFile,
  PlaceRefusal,
} from "./place.ts";

/** Time limit for a server to accept a part, in milliseconds. */
const CALL_LIMIT_MS = 120_000;
/** Bytes per part. S3 accepts 10,000 parts, so an archive can have 160 GB. */
const PART_BYTES = 16 * 1024 * 1024;
const MISSING = 404;
const NO_SPACE = 507;

/** Archives in an S3 bucket, which must exist. One part is in memory at a time; an archive appears once complete. */
export class ArchiveBucket implements ArchivePlace {
  readonly #client: S3Client;
  readonly #address: S3Address;
  readonly #partBytes: number;

  /** @param options.partBytes other than 16 MB, for tests; S3 requires at least 5 MB except for the last part. */
  constructor(address: S3Address, options: { readonly partBytes?: number } = {}) {
    this.#client = createS3Client(address, CALL_LIMIT_MS);
    this.#address = address;
    this.#partBytes = options.partBytes ?? PART_BYTES;
  }

  get where(): string {
    return this.#shown("");
  }

  fileOf(archive: string): string {
    return isArchiveName(archive) ? this.#shown(fileOfName(archive)) : archivePath(archive);
  }

  holds(other: ArchivePlace): boolean {
    if (!(other instanceof ArchiveBucket)) return false;
    const [one, two] = [this.#address, other.#address];
    const isOneBucket = one.endpoint === two.endpoint && one.bucket === two.bucket;
    return isOneBucket && two.prefix.startsWith(one.prefix);
  }

  async put(name: string, content: AsyncIterable<Uint8Array>): Promise<string> {
    const place = this.#placeOf(name);
    const { UploadId } = await this.#told(
      this.#client.send(new CreateMultipartUploadCommand(place)),
    );
    const upload = { ...place, UploadId };
    try {
      const Parts: { ETag: string | undefined; PartNumber: number }[] = [];
      for await (const Body of inParts(content, this.#partBytes)) {
        const PartNumber = Parts.length + 1;
        const command = new UploadPartCommand({
          ...upload,
          PartNumber,
          Body,
          ContentLength: Body.length,
        });
        const { ETag } = await this.#told(this.#client.send(command));
        Parts.push({ ETag, PartNumber });
      }
      const MultipartUpload = { Parts };
      await this.#told(
        this.#client.send(new CompleteMultipartUploadCommand({ ...upload, MultipartUpload })),
      );
      return this.fileOf(name);
    } catch (error) {
      // Anything that remains is later removed as abandoned.
      await this.#client.send(new AbortMultipartUploadCommand(upload)).catch(() => undefined);
      // The response may have been lost after the parts were assembled.
      await this.#client.send(new DeleteObjectCommand(place)).catch(() => undefined);
      throw error;
    }
  }

  async list(): Promise<KeptArchive[]> {
    const { bucket: Bucket, prefix: Prefix } = this.#address;
    const kept: KeptArchive[] = [];
    for (let token: string | undefined, isFirst = true; isFirst || token; isFirst = false) {
      const { Contents = [], NextContinuationToken } = await this.#told(
        this.#client.send(new ListObjectsV2Command({ Bucket, Prefix, ContinuationToken: token })),
      );
      for (const { Key = "", Size: bytes = 0 } of Contents) {
        const name = nameOfFile(Key.slice(Prefix.length));
        if (name !== undefined) kept.push({ name, bytes });
      }
      token = NextContinuationToken;
    }
    return kept.sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  async open(archive: string): Promise<Readable> {
    if (!isArchiveName(archive)) return openArchiveFile(this.fileOf(archive));
    const body = await this.#get(fileOfName(archive));
    if (!body) throw new Refusal(`There is no archive ${this.fileOf(archive)}.`);
    return body;
  }

  async readMarker(): Promise<string | undefined> {
    const body = await this.#get(MARKER_FILE);
    return body && text(body);
  }

  async writeMarker(content: string): Promise<void> {
    const command = new PutObjectCommand({ ...this.#at(MARKER_FILE), Body: content });
    await this.#told(this.#client.send(command));
  }

  async remove(name: string): Promise<void> {
    await this.#told(this.#client.send(new DeleteObjectCommand(this.#placeOf(name))));
  }

  async removeAbandoned(): Promise<void> {
    const { bucket: Bucket, prefix: Prefix } = this.#address;
    const { Uploads = [] } = await this.#told(
      this.#client.send(new ListMultipartUploadsCommand({ Bucket, Prefix })),
    );
    for (const { Key = "", UploadId, Initiated } of Uploads) {
      const isOurs = nameOfFile(Key.slice(Prefix.length)) !== undefined;
      if (!isOurs || !Initiated || Initiated.getTime() > Date.now() - ABANDONED_MS) continue;
      const upload = { Bucket, Key, UploadId };
      await this.#told(this.#client.send(new AbortMultipartUploadCommand(upload)));
    }
  }

  /** @returns undefined if there is no such file. @throws {PlaceRefusal} if the bucket is missing. */
  async #get(file: string): Promise<Readable | undefined> {
    try {
      return (await this.#client.send(new GetObjectCommand(this.#at(file)))).Body as Readable;
    } catch (error) {
      if (statusOf(error) === MISSING && (error as Error).name !== "NoSuchBucket") return undefined;
      throw this.#refusal(error);
    }
  }

  #placeOf(name: string): { Bucket: string; Key: string } {
    return this.#at(fileOfName(name));
  }

  #at(file: string): { Bucket: string; Key: string } {
    const { bucket, prefix } = this.#address;
    return { Bucket: bucket, Key: prefix + file };
  }

  #shown(file: string): string {
    const { endpoint, bucket, prefix } = this.#address;
    return `s3://${new URL(endpoint).host}/${bucket}/${prefix}${file}`;
  }

  /** @throws {PlaceRefusal} */
  async #told<T>(call: Promise<T>): Promise<T> {
    try {
      return await call;
    } catch (error) {
      throw this.#refusal(error);
    }
  }

  #refusal(error: unknown): PlaceRefusal {
    const where = this.#shown("");
    return statusOf(error) === NO_SPACE
      ? new PlaceRefusal("full", `The server for ${where} is full: free some space.`)
      : new PlaceRefusal(
          "unwritable",
          `${where} can't be accessed (${briefly(error)}): check that the bucket exists and that the key may list, read, write and delete.`,
        );
  }
}
