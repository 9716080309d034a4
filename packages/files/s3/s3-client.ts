import { S3Client, S3ServiceException } from "@aws-sdk/client-s3";
import type { S3Address } from "./s3-url.ts";

/** Most milliseconds until there is a connection, and between bytes of an answer. */
const CONNECT_LIMIT = 3_000;
const SILENCE_LIMIT = 10_000;

/** @param callLimitMs most milliseconds until an answer, for each of two attempts. */
export function createS3Client(
  { endpoint, region, credentials }: S3Address,
  callLimitMs: number,
): S3Client {
  return new S3Client({
    endpoint,
    region,
    credentials,
    maxAttempts: 2,
    // Other servers know neither buckets as host names nor the newer checksums.
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

/** HTTP status of an answer; undefined where there was none. */
export function statusOf(error: unknown): number | undefined {
  return error instanceof S3ServiceException ? error.$metadata.httpStatusCode : undefined;
}

/** What may be said of an error: its status or code. Messages of the client may name hosts, buckets and keys. */
export function briefly(error: unknown): string {
  const { name = "", code = name } = (error ?? {}) as { name?: string; code?: string };
  return String(statusOf(error) ?? code);
}
