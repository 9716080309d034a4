/** Every code that a refusal may carry. `errorStatuses` in packages/http maps each to an HTTP status. */
export type ErrorCode =
  // The request itself
  | "invalid_request"
  | "invalid_json"
  | "invalid_url"
  | "invalid_idempotency_key"
  | "reason_required"
  | "link_invalid"
  | "challenge_invalid"
  | "file_refused"
  // Who is asking
  | "not_authenticated"
  | "invalid_token"
  | "invalid_credentials"
  | "forbidden"
  | "account_banned"
  | "submission_refused"
  | "link_required"
  | "wrong_password"
  | "password_required"
  | "proof_required"
  | "second_admin_required"
  | "second_factor_required"
  | "confirmed_account_required"
  | "code_required"
  | "wrong_code"
  // What was asked for
  | "not_found"
  | "report_not_found"
  | "account_not_found"
  | "method_not_allowed"
  | "request_timeout"
  // The state does not allow it
  | "conflict"
  | "report_exists"
  | "staff_account"
  | "account_closed"
  | "account_changed"
  | "account_unconfirmed"
  | "own_account"
  | "last_admin"
  | "two_factor_on"
  | "two_factor_off"
  | "email_taken"
  | "already_verified"
  | "corrections_used"
  | "not_askable"
  | "question_closed"
  | "status_unchanged"
  | "reporter_suspended"
  | "not_undoable"
  | "upload_used"
  | "report_not_public"
  | "report_rejected"
  | "held_by_notice"
  | "picture_limit"
  | "version_unchanged"
  | "wrong_status"
  | "notice_open"
  | "nothing_linked"
  | "link_limit"
  | "too_early"
  | "inquiry_closed"
  | "note_limit"
  | "mail_not_failed"
  | "mail_before_restore"
  | "resend_limit"
  | "resolution_open"
  | "resolution_closed"
  | "already_paid"
  | "slug_taken"
  | "content_changed"
  | "settings_changed"
  | "template_active"
  | "template_changed"
  | "template_deleted"
  | "template_limit"
  | "terms_outdated"
  | "legal_text"
  | "job_running"
  | "log_broken"
  | "report_deleted"
  | "file_deleted"
  | "content_deleted"
  // Limits
  | "too_large"
  | "unsupported_media_type"
  | "idempotency_key_reused"
  | "too_many_requests"
  | "too_many_streams"
  | "headers_too_large"
  // Our side
  | "internal_error"
  | "unavailable"
  | "maintenance";

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
