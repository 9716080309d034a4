import type { errorStatuses } from "./error-statuses.ts";

export type ErrorCode = keyof typeof errorStatuses;

/** An error that the caller can understand and act on. Independent of HTTP. */
export class DomainError extends Error {
  override readonly name = "DomainError";
  readonly code: ErrorCode;
  /** One message per field, by wire name. */
  readonly fields: Readonly<Record<string, string>> | undefined;
  /** Position of the event that caused the error, if known. */
  position: string | undefined;

  /** @param message one sentence that may be shown to users. */
  constructor(code: ErrorCode, message: string, fields?: Readonly<Record<string, string>>) {
    super(message);
    this.code = code;
    this.fields = fields;
  }
}

/** Creates an `invalid_request` error with a message per field. The first is also the error's message. */
export function refusalOf(problems: Readonly<Record<string, string>>): DomainError {
  return new DomainError("invalid_request", Object.values(problems)[0] ?? "", problems);
}
