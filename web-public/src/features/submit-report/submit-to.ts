import type { Static } from "typebox";
import type { SubmitReply, SubmitReport } from "#contracts/http/reports.ts";
import { omitUndefined } from "#contracts/omit-undefined.ts";
import { type ApiClient, ApiError } from "../../api/client.ts";
import { formatWait } from "../../lib/waiting-time.ts";

export type SubmissionResult =
  | {
      readonly state: "submitted";
      readonly reportId: string;
      /** The reporter's address was already confirmed. */
      readonly confirmed?: true;
      /** Allows correcting the reporter's address. */
      readonly correctionToken?: string;
      readonly message: string;
      /** The registry already had it: the browser sent the same form again. */
      readonly repeated?: true;
    }
  | {
      readonly state: "refused";
      readonly message: string;
      /** One sentence per invalid field, by the field's name in the request. */
      readonly fields: Readonly<Record<string, string>>;
      /** The key was used for another report. */
      readonly keyUsed?: true;
      /** Seconds to wait before retrying, if there were too many attempts. */
      readonly retryAfter?: number;
    }
  /** It is unknown whether the report arrived. Retrying with the same key is safe. */
  | { readonly state: "unknown"; readonly message: string };

/** Submits a report with an idempotency key, and returns the outcome. */
export async function submitTo(
  api: ApiClient,
  payload: SubmitReport,
  idempotencyKey: string,
): Promise<SubmissionResult> {
  try {
    const reply = await api.post<Static<typeof SubmitReply>["data"]>("/api/reports/submit", {
      body: payload,
      idempotencyKey,
    });
    if (!reply.data) throw new ApiError(0);
    const { id, correction_token: correctionToken } = reply.data;
    return {
      state: "submitted",
      reportId: id,
      ...omitUndefined({ correctionToken }),
      message: reply.message ?? SUBMITTED,
      ...omitUndefined({ confirmed: reply.data.confirmed, repeated: reply.data.repeated }),
    };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (error.status === 0 || error.status >= 500) {
      return { state: "unknown", message: `${error.explanation ?? FAILED}` };
    }
    if (error.status === 401) return { state: "refused", message: SESSION_ENDED, fields: {} };
    if (error.status === 429) {
      const retryAfter = error.retryAfter ?? 60;
      const message = `Too many requests came from your network or account, so nothing was sent. Please try again in ${formatWait(retryAfter)}. Nothing you entered is lost.`;
      return { state: "refused", message, fields: error.fields, retryAfter };
    }
    if (error.status === 422)
      return { state: "refused", message: ALREADY_SUBMITTED, fields: error.fields, keyUsed: true };
    return { state: "refused", message: error.explanation ?? FAILED, fields: error.fields };
  }
}

const SUBMITTED =
  "Report submitted successfully! Your report is being reviewed and will be posted soon.";
const SESSION_ENDED =
  "Your session has ended, and nothing was sent. Sign in again in another tab to keep the report in your account, or select Submit Report again to send it without one. Nothing you entered is lost.";
const FAILED = "Failed to submit report";
/** A form keeps its key until it is submitted, so only an earlier attempt can have used the key. */
const ALREADY_SUBMITTED =
  "We already received an earlier attempt without your latest changes. Look for our email, and write to us if something needs to be corrected.";
