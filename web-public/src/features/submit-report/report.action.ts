import { data } from "react-router-dom";
import { type ActionArgs, apiContext } from "../../api/client.ts";
import { submitPlainForm } from "./plain-form.ts";
import { submitReportAction } from "./submit-report.action.ts";

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
