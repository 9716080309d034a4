/**
 * A call that did not do what was asked. `status` is the HTTP status, 0 when no answer came;
 * `message` is the server's own sentence and may be empty.
 */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  /** One sentence a field, keyed by the field's name on the wire. */
  readonly fields: Readonly<Record<string, string>>;

  constructor(
    status: number,
    message: string,
    code = "",
    fields: Readonly<Record<string, string>> = {},
  ) {
    super(message);
    this.name = "ApiError";
    this.status = status;
    this.code = code;
    this.fields = fields;
  }
}

/** Reads the contract's error envelope; anything else leaves the message empty. */
export function apiErrorOf(status: number, body: unknown): ApiError {
  const error = objectOf(objectOf(body).error);
  return new ApiError(
    status,
    typeof error.message === "string" ? error.message : "",
    typeof error.code === "string" ? error.code : "",
    Object.fromEntries(
      Object.entries(objectOf(error.fields)).filter(
        (entry): entry is [string, string] => typeof entry[1] === "string",
      ),
    ),
  );
}

/** Whether the call never got an answer. */
export function isNetworkError(error: unknown): boolean {
  return error instanceof ApiError && error.status === 0;
}

/** Whether the call was refused for what the record has become meanwhile: what is shown is old. */
export function isOutdated(error: unknown): boolean {
  return error instanceof ApiError && [404, 409, 410].includes(error.status);
}

/** The sentence of an error, or `otherwise` when it has none. */
export function messageOf(error: unknown, otherwise: string): string {
  return error instanceof Error && error.message ? error.message : otherwise;
}

/** The sentence for a list that did not load; `what` as in "reports", "audit logs". */
export function loadFailureText(what: string, error: unknown): string {
  if (isNetworkError(error)) return `Network error: ${messageOf(error, "Connection failed")}`;
  return `Failed to load ${what}: ${messageOf(error, "Unknown error")}`;
}

function objectOf(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}
