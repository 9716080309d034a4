import { ErrorType } from "@eventstore/db-client";
import { StoreUnavailable } from "../port.ts";

type Failure =
  | "no_stream"
  /** The stream was permanently deleted, with a tombstone. */
  | "deleted"
  /** The stream is not at the revision that an append expects. */
  | "conflict"
  | "too_large"
  /** The server reports an error without a cause, as for positions past the end or between two records. */
  | "unclear"
  /** No reply, or a temporary failure: the outcome is unknown. */
  | "away";

const BY_TYPE: Readonly<Record<string, Failure>> = {
  [ErrorType.STREAM_NOT_FOUND]: "no_stream",
  [ErrorType.NO_STREAM]: "no_stream",
  [ErrorType.STREAM_DELETED]: "deleted",
  [ErrorType.WRONG_EXPECTED_VERSION]: "conflict",
  [ErrorType.MAXIMUM_APPEND_SIZE_EXCEEDED]: "too_large",
};

/** Status codes of gRPC: UNKNOWN, INVALID_ARGUMENT, OUT_OF_RANGE. */
const UNCLEAR_CODES: ReadonlySet<unknown> = new Set([2, 3, 11]);

/** gRPC: the deadline that the call was given has passed. */
const DEADLINE_EXCEEDED = 4;

/** gRPC: there is no connection, or the server cannot answer now. */
const UNAVAILABLE = 14;

/** Classifies an error of the client. Anything unknown is treated as an outage, which loses nothing. */
export function failureOf(error: unknown): Failure {
  if (error instanceof StoreUnavailable) return "away";
  const { type, code } = (error ?? {}) as { type?: unknown; code?: unknown };
  const known = typeof type === "string" && Object.hasOwn(BY_TYPE, type) && BY_TYPE[type];
  if (known) return known;
  return UNCLEAR_CODES.has(code) ? "unclear" : "away";
}

export function unavailable(error: unknown): StoreUnavailable {
  if (error instanceof StoreUnavailable) return error;
  const cause = refusedCertificate(error) ?? error;
  return new StoreUnavailable("the event log is unreachable", { cause });
}

/** Node.js's messages for a certificate that it rejects, by error code. gRPC passes on only the text. */
const CERTIFICATES: Readonly<Record<string, RegExp>> = {
  ERR_TLS_CERT_ALTNAME_INVALID: /does not match certificate's altnames/,
  SELF_SIGNED_CERT_IN_CHAIN: /self-signed certificate in certificate chain/,
  DEPTH_ZERO_SELF_SIGNED_CERT: /self-signed certificate/,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: /unable to verify the first certificate/,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: /unable to get local issuer certificate/,
  UNABLE_TO_GET_ISSUER_CERT: /unable to get issuer certificate/,
  CERT_SIGNATURE_FAILURE: /certificate signature failure/,
  CERT_HAS_EXPIRED: /certificate has expired/,
  CERT_NOT_YET_VALID: /certificate is not yet valid/,
};

/** Returns the error with Node's code if the server's certificate was rejected; undefined for other errors. */
export function refusedCertificate(error: unknown): Error | undefined {
  if (!(error instanceof Error) || (error as { code?: unknown }).code !== UNAVAILABLE)
    return undefined;
  const code = Object.keys(CERTIFICATES).find((each) => CERTIFICATES[each]?.test(error.message));
  if (code === undefined) return undefined;
  return Object.assign(new Error("the certificate of the event log is not accepted"), { code });
}

/** The adapter's own time limit passed first: the client ignores deadlines while it connects. */
export class NoAnswer extends StoreUnavailable {
  constructor(timeoutMs: number, options?: ErrorOptions) {
    super(`the event log did not answer within ${timeoutMs} ms`, options);
  }
}

/** Whether a call failed because nothing arrived in time. */
export function isSilence(error: unknown): boolean {
  if (error instanceof NoAnswer) return true;
  return (error as { code?: unknown } | null | undefined)?.code === DEADLINE_EXCEEDED;
}
