import type { ErrorCode } from "#contracts/domain-error.ts";

/** The status of each code that a refusal may carry. */
export const errorStatuses = {
  // The request itself
  invalid_request: 400,
  invalid_json: 400,
  invalid_url: 400,
  invalid_idempotency_key: 400,
  reason_required: 400,
  link_invalid: 400,
  challenge_invalid: 400,
  file_refused: 400,
  // Who is asking
  not_authenticated: 401,
  invalid_token: 401,
  invalid_credentials: 401,
  forbidden: 403,
  link_required: 403,
  wrong_password: 403,
  proof_required: 403,
  second_factor_required: 403,
  confirmed_account_required: 403,
  wrong_code: 403,
  // What was asked for
  not_found: 404,
  report_not_found: 404,
  account_not_found: 404,
  method_not_allowed: 405,
  request_timeout: 408,
  // The state does not allow it
  conflict: 409,
  report_exists: 409,
  staff_account: 409,
  two_factor_on: 409,
  two_factor_off: 409,
  email_taken: 409,
  already_verified: 409,
  corrections_used: 409,
  not_askable: 409,
  question_closed: 409,
  status_unchanged: 409,
  upload_used: 409,
  report_not_public: 409,
  resolution_open: 409,
  resolution_closed: 409,
  already_paid: 409,
  report_deleted: 410,
  // Limits
  too_large: 413,
  unsupported_media_type: 415,
  idempotency_key_reused: 422,
  too_many_requests: 429,
  headers_too_large: 431,
  // Our side
  internal_error: 500,
  unavailable: 503,
} as const satisfies Record<ErrorCode, number>;

/** Sentences for the errors that the HTTP base itself returns. */
export const messages = {
  invalid_request: "The request is not valid.",
  invalid_json: "The request body is not valid JSON.",
  invalid_url: "The address of the request is not valid.",
  not_authenticated: "Please sign in first.",
  invalid_token: "Your session is not valid any more. Please sign in again.",
  forbidden: "Your account may not do this.",
  proof_required: "Please enter your password again.",
  second_factor_required: "Please set up two-factor sign-in in your account settings first.",
  not_found: "There is nothing at this address.",
  method_not_allowed: "This address does not take this kind of request.",
  request_timeout: "The request took too long to arrive.",
  too_large: "The request is too large.",
  unsupported_media_type: "Please send JSON (Content-Type: application/json).",
  too_many_requests: "Too many requests in a short time. Please wait before trying again.",
  headers_too_large: "The headers of the request are too large.",
  internal_error: "Something went wrong on our side. Please try again later.",
  unavailable: "The service is not available right now. Please try again in a moment.",
} as const satisfies Partial<Record<ErrorCode, string>>;
