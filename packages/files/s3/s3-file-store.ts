import { randomUUID } from "node:crypto";
import { Readable } from "node:stream";
import {
  CreateBucketCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
  S3ServiceException,
} from "@aws-sdk/client-s3";
import pLimit from "p-limit";
import {
  type ByteRange,
  checkFileId,
  checkRange,
  FileExists,
  type FileStore,
  FilesUnavailable,
  isFileId,
  type StoredFile,
  upTo,
} from "../port.ts";
import { wholeStream } from "../sealed-files.ts";
import type { S3Address } from "./s3-url.ts";

export interface S3Options {
  /** Files per listing request; 1,000, the maximum, if absent. */
  readonly pageSize?: number;
  /** Milliseconds to wait for a response, per attempt (two attempts); 15,000 if absent. */
  readonly callLimitMs?: number;
}

/** Concurrent deletions. */
const DELETIONS = 8;

/** Stores files in a bucket of S3, or of a server that supports `If-None-Match` on writes. Creates the bucket. */
export function openS3FileStore(address: S3Address, options: S3Options = {}): FileStore {
  return new S3FileStore(address, options);
}

class S3FileStore implements FileStore {
  readonly #client: S3Client;
  readonly #address: S3Address;
  readonly #pageSize: number;

  constructor(address: S3Address, { pageSize = 1000, callLimitMs = 15_000 }: S3Options) {
    this.#address = address;
    this.#pageSize = pageSize;
    this.#client = createS3Client(address, callLimitMs);
  }

  /** Buffers the file and sends it in one request, which S3 stores atomically. */
  async put(id: string, content: AsyncIterable<Uint8Array>, limit: number): Promise<number> {
    const place = this.#placeOf(id);
    const chunks: Uint8Array[] = [];
    for await (const chunk of upTo(limit, content)) chunks.push(chunk);
    const Body = Buffer.concat(chunks);
    const writer = randomUUID();
    const command = new PutObjectCommand({
      ...place,
      Body,
      ContentLength: Body.length,
      IfNoneMatch: "*",
      Metadata: { writer },
    });
    try {
      await this.#client.send(command).catch(async (error) => {
        if (!isMissing(error)) throw error;
        await this.#createBucket();
        await this.#client.send(command);
      });
    } catch (error) {
      if (error instanceof FilesUnavailable) throw error;
      if (![CONFLICT, PRECONDITION_FAILED].includes(statusOf(error) ?? 0)) throw away(error);
      // The client retries a call whose response was lost: then this call has already stored the file.
      const found = await this.#unlessMissing(this.#client.send(new HeadObjectCommand(place)));
      if (found?.Metadata?.writer !== writer) throw new FileExists(`file ${id} already exists`);
    }
    return Body.length;
  }

  async size(id: string): Promise<number | undefined> {
    const command = new HeadObjectCommand(this.#placeOf(id));
    return (await this.#unlessMissing(this.#client.send(command)))?.ContentLength;
  }

  async get(id: string, range?: ByteRange): Promise<Readable | undefined> {
    checkRange(range);
    const place = this.#placeOf(id);
    if (range && range.end <= range.start)
      // S3 doesn't support empty ranges.
      return (await this.size(id)) === undefined ? undefined : Readable.from([]);
    const Range = range && { Range: `bytes=${range.start}-${range.end - 1}` };
    try {
      const { Body, ContentLength } = await this.#client.send(
        new GetObjectCommand({ ...place, ...Range }),
      );
      return wholeStream(Body as Readable, ContentLength ?? Number.NaN, away);
    } catch (error) {
      if (isMissing(error)) return undefined;
      if (statusOf(error) === PAST_THE_END) return Readable.from([]);
      throw away(error);
    }
  }

  async delete(ids: readonly string[]): Promise<void> {
    const places = ids.map((id) => this.#placeOf(id));
    const limited = pLimit(DELETIONS);
    await Promise.all(
      places.map((place) =>
        limited(() => this.#unlessMissing(this.#client.send(new DeleteObjectCommand(place)))),
      ),
    );
  }

  async *list(olderThan?: Date): AsyncGenerator<StoredFile, void, void> {
    const { bucket: Bucket, prefix: Prefix } = this.#address;
    let token: { ContinuationToken: string } | undefined;
    do {
      const page = await this.#unlessMissing(
        this.#client.send(
          new ListObjectsV2Command({ Bucket, Prefix, MaxKeys: this.#pageSize, ...token }),
        ),
      );
      for (const { Key = "", Size: bytes, LastModified: storedAt } of page?.Contents ?? []) {
        const id = Key.slice(Prefix.length);
        if (!isFileId(id) || bytes === undefined || !storedAt) continue;
        if (!(olderThan && storedAt >= olderThan)) yield { id, bytes, storedAt };
      }
      const next = page?.NextContinuationToken;
      token = next ? { ContinuationToken: next } : undefined;
    } while (token);
  }

  async ping(): Promise<void> {
    const { bucket: Bucket } = this.#address;
    const found = await this.#unlessMissing(this.#client.send(new HeadBucketCommand({ Bucket })));
    if (!found) await this.#createBucket();
  }

  async close(): Promise<void> {
    this.#client.destroy();
  }

  #placeOf(id: string): { Bucket: string; Key: string } {
    checkFileId(id);
    const { bucket, prefix } = this.#address;
    return { Bucket: bucket, Key: `${prefix}${id}` };
  }

  /** Another process may create the bucket at the same time. */
  async #createBucket(): Promise<void> {
    const { bucket: Bucket } = this.#address;
    await this.#client.send(new CreateBucketCommand({ Bucket })).catch((error) => {
      if (statusOf(error) !== CONFLICT) throw away(error);
    });
  }

  async #unlessMissing<T>(call: Promise<T>): Promise<T | undefined> {
    try {
      return await call;
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw away(error);
    }
  }
}

const CONFLICT = 409;
const PRECONDITION_FAILED = 412;
const PAST_THE_END = 416;

function isMissing(error: unknown): boolean {
  return statusOf(error) === 404;
}

function away(error: unknown): FilesUnavailable {
  return new FilesUnavailable(`the file store failed (${briefly(error)})`);
}

/** Milliseconds to wait for a connection, and between bytes of a response. */
const CONNECT_LIMIT = 3_000;
const SILENCE_LIMIT = 10_000;

/** @param callLimitMs milliseconds to wait for a response, per attempt (two attempts). */
export function createS3Client(
  { endpoint, region, credentials }: S3Address,
  callLimitMs: number,
): S3Client {
  return new S3Client({
    endpoint,
    region,
    credentials,
    maxAttempts: 2,
    // Other servers support neither buckets as host names nor the newer checksums.
    forcePathStyle: true,
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
    requestHandler: {
      connectionTimeout: CONNECT_LIMIT,
      requestTimeout: callLimitMs,
      socketTimeout: SILENCE_LIMIT,
      throwOnRequestTimeout: true,
    },
  });
}

/** Returns a response's HTTP status; undefined if there was no response. */
export function statusOf(error: unknown): number | undefined {
  return error instanceof S3ServiceException ? error.$metadata.httpStatusCode : undefined;
}

/**
 * Returns the status or code of an error, which is safe to log: the client's messages may contain hosts, buckets
 * and keys.
 */
export function briefly(error: unknown): string {
  const { name = "", code = name } = (error ?? {}) as { name?: string; code?: string };
  return String(statusOf(error) ?? code);
}
