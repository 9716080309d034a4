import { MAX_CHARGEBACKS } from "#contracts/report/catalogue.ts";
import { latestDate } from "#contracts/report/dates.ts";
import type { ApiClient } from "../../api/client.ts";
import { newIdempotencyKey } from "../../lib/idempotency-key.ts";
import { FORM_FIELDS, ITEM_FIELDS } from "./form-fields.ts";
import { type FormState, INITIAL_FORM, type ItemValues, NEW_ITEM } from "./form-state.ts";
import { toPayload } from "./payload.ts";
import { problemsOf } from "./problems.ts";
import { type SubmissionResult, submitTo } from "./submit-to.ts";

/** What came of a form that a browser sent by itself, and everything that was typed. */
export interface PlainSubmission {
  readonly form: FormState;
  /** For another attempt: one that arrived is recognised by it. */
  readonly key: string;
  /** Absent where the form is not complete, and nothing was sent. */
  readonly result?: SubmissionResult;
}

/** Names of the form's own fields, beside those of the report. */
export const TERMS = "terms_accepted";
export const KEY = "idempotency_key";

/** Sends a report as a browser without JavaScript submits it. */
export async function submitPlainForm(
  api: ApiClient,
  sent: FormData,
): Promise<{ submission: PlainSubmission; status: number }> {
  const form = readPlainForm(sent);
  const given = textOf(sent, KEY);
  const key = /^[0-9a-f]{32}$/.test(given) ? given : newIdempotencyKey();
  const problems = problemsOf(form, latestDate(Date.now()));
  if (Object.keys(problems).length > 0) return { submission: { form, key }, status: 400 };
  const payload = JSON.parse(JSON.stringify(toPayload(form)));
  const result = await submitTo(api, payload, key);
  const isOutdated = result.state === "refused" && result.fields[TERMS] !== undefined;
  return {
    submission: {
      form: isOutdated ? { ...form, termsAccepted: false, termsChanged: true } : form,
      key,
      result,
    },
    status: STATUS[result.state],
  };
}

const STATUS = { submitted: 200, refused: 400, unknown: 503 } as const;

/** The form as it was filled in. What it does not know is left out. */
export function readPlainForm(sent: FormData): FormState {
  const fields = Object.fromEntries(
    FORM_FIELDS.map((field) => [
      field,
      sent.has(field) ? textOf(sent, field) : INITIAL_FORM.fields[field],
    ]),
  ) as FormState["fields"];
  const items: ItemValues[] = [];
  for (let n = 0; n < MAX_CHARGEBACKS && sent.has(`chargebacks.${n}.amount`); n++) {
    const values = ITEM_FIELDS.map((field) => [field, textOf(sent, `chargebacks.${n}.${field}`)]);
    items.push({ key: n + 1, values: { ...NEW_ITEM, ...Object.fromEntries(values) } });
  }
  return {
    ...INITIAL_FORM,
    fields,
    items,
    termsAccepted: sent.has(TERMS),
    nextKey: items.length + 1,
  };
}

/** Browsers send the ends of lines as CR LF. */
function textOf(sent: FormData, name: string): string {
  const value = sent.get(name);
  return typeof value === "string" ? value.replaceAll("\r\n", "\n") : "";
}
