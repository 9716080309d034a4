import type { errorStatuses } from "./error-statuses.ts";

export type ErrorCode = keyof typeof errorStatuses;

/** A refusal that the caller can understand and act on. It knows nothing of HTTP. */
export class DomainError extends Error {
  override readonly name = "DomainError";
  readonly code: ErrorCode;
  /** One sentence per field, keyed by the field's name on the wire. */
  readonly fields: Readonly<Record<string, string>> | undefined;
  /** Position of the event that caused the refusal, if it is known. */
  position: string | undefined;

  /** @param message one sentence for people; it may be shown on a screen. */
  constructor(code: ErrorCode, message: string, fields?: Readonly<Record<string, string>>) {
    super(message);
    this.code = code;
    this.fields = fields;
  }
}

/** Invalid input, with a sentence for each field. The first one is also the error's message. */
export function refusalOf(problems: Readonly<Record<string, string>>): DomainError {
  return new DomainError("invalid_request", Object.values(problems)[0] ?? "", problems);
}
