import type { AnsweredInquiry } from "#contracts/http/inquiries.ts";
import { type ActionArgs, type ApiClient, apiContext, dataOf, loading } from "../../api/client.ts";
import { REPLY_WORDS } from "../report-question/answer-words.ts";
import { plainReply, sendPlainAnswer } from "../report-question/plain-answer.ts";
import { linkProblem } from "../report-status/link-problem.ts";

const INSTEAD =
  "Use the link in our latest email about your inquiry, or write to us again with one of our forms.";

/** Loads an answer by its link, which changes nothing. */
export const inquiryAnswerLoader = loading(
  (api, { params: { token = "" }, request: { signal } }) =>
    dataOf(api.post<AnsweredInquiry>("/api/inquiry-answer", { body: { token }, signal })),
  (error) => linkProblem(error, INSTEAD),
);

export function sendReply(api: ApiClient, token: string, reply: string, idempotencyKey: string) {
  return api.post("/api/inquiry-answer/reply", { body: { token, reply }, idempotencyKey });
}

/** Takes the reply of a browser without JavaScript. */
export async function inquiryAnswerAction({ context, params, request }: ActionArgs) {
  const { token = "" } = params;
  const api = context.get(apiContext);
  const form = await request.formData();
  return plainReply(
    await sendPlainAnswer(form, REPLY_WORDS, "reply", (reply, key) =>
      sendReply(api, token, reply, key),
    ),
  );
}
