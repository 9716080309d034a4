/**
 * A failed call. `status` is the HTTP status, or 0 if there was no response. `message` is the server's message and
 * may be empty.
 */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  /** One message per field, keyed by the field's name in the request. */
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

/** Reads the contract's error envelope. For anything else, the message is empty. */
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

/** Whether the call was rejected because the record has changed since, so the screen is stale. */
export function isOutdated(error: unknown): boolean {
  return error instanceof ApiError && [404, 409, 410].includes(error.status);
}

/** Returns the error's own message, or `otherwise` if it has none. */
export function messageOf(error: unknown, otherwise: string): string {
  return error instanceof Error && error.message ? error.message : otherwise;
}

/** Returns the message for a list that failed to load; `what` is e.g. "reports" or "audit logs". */
export function loadFailureText(what: string, error: unknown): string {
  if (error instanceof ApiError && error.status === 0)
    return `Network error: ${messageOf(error, "Connection failed")}`;
  return `Failed to load ${what}: ${messageOf(error, "Unknown error")}`;
}

/** Like `loadFailureText`, in the wording specified for the dashboard, analytics, users and the audit log. */
export function fetchFailureText(what: string, error: unknown): string {
  return `Failed to fetch ${what}: ${messageOf(error, statusOf(error) ?? "Unknown error occurred")}`;
}

/** Returns the HTTP status as text, for responses without a message. */
export function statusOf(error: unknown): string | undefined {
  return error instanceof ApiError && error.status > 0 ? String(error.status) : undefined;
}

function objectOf(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}
