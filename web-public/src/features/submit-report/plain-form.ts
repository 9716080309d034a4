import { omitUndefined } from "#contracts/omit-undefined.ts";
import { MAX_CHARGEBACKS } from "#contracts/report/catalogue.ts";
import { latestDate } from "#contracts/report/fields.ts";
import type { ApiClient } from "../../api/client.ts";
import { newIdempotencyKey } from "../../lib/idempotency-key.ts";
import { keyOf, textOf } from "../../lib/plain-fields.ts";
import type { ItemField } from "./form-fields.ts";
import { type FormState, filledIn, INITIAL_FORM } from "./form-state.ts";
import { toPayload } from "./payload.ts";
import { problemsOf } from "./problems.ts";
import { type SubmissionResult, submitTo } from "./submit-to.ts";

/** The outcome of a form submitted without JavaScript, and everything that was typed. */
export interface PlainSubmission {
  readonly form: FormState;
  /** Idempotency key, reused for retries. */
  readonly key: string;
  /** Absent if the form is incomplete and nothing was sent. */
  readonly result?: SubmissionResult;
}

type Refused = Extract<SubmissionResult, { state: "refused" }>;

/** Names of fields that belong to the form, not the report. */
export const TERMS = "terms_accepted";
export const SHOWN_TERMS = "terms_version";
/** Sent if a form doesn't say which terms it showed. No version has this name. */
const UNSTATED = "unstated";
/** Maximum length of a version's name. */
const VERSION_LENGTH = 40;

/** Submits a report from a browser without JavaScript. */
export async function submitPlainForm(
  api: ApiClient,
  sent: FormData,
): Promise<{ submission: PlainSubmission; status: number; retryAfter?: number }> {
  const form = readPlainForm(sent);
  const key = keyOf(sent);
  const problems = problemsOf(form, latestDate(Date.now()));
  if (Object.keys(problems).length > 0) return { submission: { form, key }, status: 400 };
  const payload = JSON.parse(JSON.stringify(toPayload(form)));
  const result = await submitTo(api, payload, key);
  if (result.state !== "refused")
    return { submission: { form, key, result }, status: STATUS[result.state] };
  const { fields, keyUsed, retryAfter } = result;
  return {
    submission: {
      form: fields[TERMS] === undefined ? form : askedAgain(form),
      // Another form already used the key, so this one could never be sent with it.
      key: keyUsed ? newIdempotencyKey() : key,
      result: keyUsed ? { ...result, message: KEY_USED_FOR_OTHER_DETAILS } : result,
    },
    status: refusedWith(result),
    ...omitUndefined({ retryAfter }),
  };
}

const STATUS = { submitted: 200, unknown: 503 } as const;

function refusedWith({ keyUsed, retryAfter }: Refused): number {
  if (retryAfter !== undefined) return 429;
  return keyUsed ? 422 : 400;
}

const KEY_USED_FOR_OTHER_DETAILS =
  "You've already submitted this form with different details. To correct that report, write to us. To submit this as a new report, select Submit Report again.";

/** Asks again for agreement to the terms in force, whose version the page will know. */
function askedAgain(form: FormState): FormState {
  return { ...form, termsAccepted: false, termsChanged: true };
}

function readPlainForm(sent: FormData): FormState {
  const items: ((field: ItemField) => string)[] = [];
  for (let n = 0; n < MAX_CHARGEBACKS && sent.has(`chargebacks.${n}.amount`); n++)
    items.push((field) => textOf(sent, `chargebacks.${n}.${field}`));
  return {
    ...INITIAL_FORM,
    ...filledIn((field) => (sent.has(field) ? textOf(sent, field) : undefined), items),
    termsAccepted: sent.has(TERMS),
    termsVersion: sent.has(SHOWN_TERMS)
      ? textOf(sent, SHOWN_TERMS).slice(0, VERSION_LENGTH)
      : UNSTATED,
    nextKey: items.length + 1,
  };
}
