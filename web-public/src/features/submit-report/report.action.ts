import { data } from "react-router-dom";
import type { SubmitReport } from "#contracts/http/reports.ts";
import { type ActionArgs, apiContext } from "../../api/client.ts";
import { accountClient } from "../../session/account-client.ts";
import { storeOf } from "../../session/session-store-of.ts";
import { sessionContext } from "../../session/site-session.ts";
import { submitPlainForm } from "./plain-form.ts";
import { type SubmissionResult, submitTo } from "./submit-to.ts";

/** Handles submissions from the page's scripts and, on the server, from browsers without JavaScript. */
export async function reportAction(args: ActionArgs) {
  const { context, request } = args;
  if (request.headers.get("content-type")?.startsWith("application/json"))
    return submitReportAction(args);
  const form = await request.formData();
  const { submission, status, retryAfter } = await submitPlainForm(context.get(apiContext), form);
  const headers = retryAfter === undefined ? {} : { "Retry-After": String(retryAfter) };
  return data(submission, { status, headers });
}

/** The form's submission to its action, as JSON. */
export interface Submission {
  readonly payload: SubmitReport;
  readonly idempotencyKey: string;
}

/** Sends a completed form to the registry. */
export async function submitReportAction({
  context,
  request,
}: ActionArgs): Promise<SubmissionResult> {
  const { payload, idempotencyKey } = (await request.json()) as Submission;
  const session = context.get(sessionContext);
  // A report belongs to the account that submits it.
  const isVisitor = session.current().state === "signed_out";
  const api = isVisitor ? context.get(apiContext) : accountClient(storeOf(session));
  const result = await submitTo(api, payload, idempotencyKey);
  // A second press follows a lost response: to the user, the report was submitted just now.
  if (result.state !== "submitted") return result;
  const { repeated: _, ...sent } = result;
  return sent;
}
