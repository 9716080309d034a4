import type { ErrorCode } from "#contracts/domain-error.ts";

/** Messages for the errors that the HTTP base itself returns. */
export const messages = {
  invalid_request: "The request isn't valid.",
  invalid_json: "The request body isn't valid JSON.",
  invalid_url: "The request URL isn't valid.",
  not_authenticated: "Please sign in first.",
  invalid_token: "Your session has ended. Please sign in again.",
  forbidden: "Your account isn't allowed to do this.",
  proof_required: "Please enter your password again.",
  code_required: "Enter a code from your authenticator app, or a recovery code.",
  second_factor_required: "Set up two-factor authentication in your account settings first.",
  not_found: "There's nothing at this address.",
  method_not_allowed: "This URL doesn't support this method.",
  request_timeout: "The request took too long to arrive.",
  too_large: "The request is too large.",
  unsupported_media_type: "Please send JSON (Content-Type: application/json).",
  too_many_requests: "Too many requests in a short time. Please wait before trying again.",
  headers_too_large: "The headers of the request are too large.",
  internal_error: "Something went wrong on our side. Please try again later.",
  unavailable: "The service isn't available right now. Please try again in a moment.",
} as const satisfies Partial<Record<ErrorCode, string>>;
