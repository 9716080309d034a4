import { data } from "react-router-dom";
import type { SubmitReport } from "#contracts/http/reports.ts";
import { type ActionArgs, apiContext } from "../../api/client.ts";
import { accountClient } from "../../session/account-client.ts";
import { storeOf } from "../../session/session-store-of.ts";
import { sessionContext } from "../../session/site-session.ts";
import { submitPlainForm } from "./plain-form.ts";
import { type SubmissionResult, submitTo } from "./submit-to.ts";

/** Takes what the page's scripts send or, on the server, what a browser without them does. */
export async function reportAction(args: ActionArgs) {
  const { context, request } = args;
  if (request.headers.get("content-type")?.startsWith("application/json"))
    return submitReportAction(args);
  const form = await request.formData();
  const { submission, status, retryAfter } = await submitPlainForm(context.get(apiContext), form);
  const headers = retryAfter === undefined ? {} : { "Retry-After": String(retryAfter) };
  return data(submission, { status, headers });
}

/** What the form passes to its action, as JSON. */
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
  // A report belongs to the account that sends it.
  const isVisitor = session.current().state === "signed_out";
  const api = isVisitor ? context.get(apiContext) : accountClient(storeOf(session));
  const result = await submitTo(api, payload, idempotencyKey);
  // A second press follows a lost answer: to who pressed, the report was sent now.
  if (result.state !== "submitted") return result;
  const { repeated: _, ...sent } = result;
  return sent;
}
