import type {
  ActionFunctionArgs,
  LoaderFunctionArgs,
  RouterContextProvider,
} from "react-router-dom";
import type { AnsweredInquiry } from "#contracts/http/inquiries.ts";
import { ApiError, apiContext } from "../../api/client.ts";
import { getInquiryAnswer, replyToInquiry } from "../../api/inquiries.ts";
import { REPLY_WORDS } from "../report-question/answer-words.ts";
import { plainReply, sendPlainAnswer } from "../report-question/plain-answer.ts";
import { linkProblem } from "../report-status/link-problem.ts";

type Context = Readonly<RouterContextProvider>;

/** Loads an answer by its link, or throws an error page. */
export async function inquiryAnswerLoader({
  context,
  params,
  request,
}: LoaderFunctionArgs<Context>): Promise<AnsweredInquiry> {
  try {
    return await getInquiryAnswer(context.get(apiContext), params.token ?? "", request.signal);
  } catch (error) {
    throw error instanceof ApiError ? linkProblem(error, INSTEAD) : error;
  }
}

const INSTEAD =
  "Use the link in our latest email about your inquiry, or write to us again with one of our forms.";

/** Takes the reply of a browser without JavaScript. */
export async function inquiryAnswerAction({
  context,
  params,
  request,
}: ActionFunctionArgs<Context>) {
  const { token = "" } = params;
  const api = context.get(apiContext);
  const form = await request.formData();
  return plainReply(
    await sendPlainAnswer(form, REPLY_WORDS, "reply", (reply, key) =>
      replyToInquiry(api, { token, reply }, key),
    ),
  );
}
