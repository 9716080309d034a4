import type { AskedQuestion } from "#contracts/http/unsubscribe.ts";
import { type ActionArgs, type ApiClient, apiContext, dataOf, loading } from "../../api/client.ts";
import { linkProblem } from "../report-status/link-problem.ts";
import { ANSWER_WORDS } from "./answer-words.ts";
import { plainReply, sendPlainAnswer } from "./plain-answer.ts";

/** Loads a moderator's question by its link, which changes nothing. */
export const questionLoader = loading(
  (api, { params: { token = "" }, request: { signal } }) =>
    dataOf(api.post<AskedQuestion>("/api/report-question", { body: { token }, signal })),
  linkProblem,
);

export function sendAnswer(api: ApiClient, token: string, answer: string, idempotencyKey: string) {
  return api.post("/api/report-question/answer", { body: { token, answer }, idempotencyKey });
}

/** Takes the answer of a browser without JavaScript. */
export async function questionAction({ context, params, request }: ActionArgs) {
  const form = await request.formData();
  const { token = "" } = params;
  const api = context.get(apiContext);
  return plainReply(
    await sendPlainAnswer(form, ANSWER_WORDS, "answer", (answer, key) =>
      sendAnswer(api, token, answer, key),
    ),
  );
}
