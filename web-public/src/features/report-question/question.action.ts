import type { ActionFunctionArgs, RouterContextProvider } from "react-router-dom";
import { apiContext } from "../../api/client.ts";
import { answerQuestion } from "../../api/reporter-links.ts";
import { ANSWER_WORDS } from "./answer-words.ts";
import { plainReply, sendPlainAnswer } from "./plain-answer.ts";

/** Takes the answer of a browser without JavaScript. */
export async function questionAction({
  context,
  params,
  request,
}: ActionFunctionArgs<Readonly<RouterContextProvider>>) {
  const form = await request.formData();
  const { token = "" } = params;
  const api = context.get(apiContext);
  return plainReply(
    await sendPlainAnswer(form, ANSWER_WORDS, "answer", (answer, key) =>
      answerQuestion(api, { token, answer }, key),
    ),
  );
}
