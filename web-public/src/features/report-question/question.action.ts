import { type ActionFunctionArgs, data, type RouterContextProvider } from "react-router-dom";
import { apiContext } from "../../api/client.ts";
import { sendPlainAnswer } from "./plain-answer.ts";

/** Takes the answer of a browser without JavaScript. */
export async function questionAction({
  context,
  params,
  request,
}: ActionFunctionArgs<Readonly<RouterContextProvider>>) {
  const form = await request.formData();
  const { plain, status, retryAfter } = await sendPlainAnswer(
    context.get(apiContext),
    params.token ?? "",
    form,
  );
  const headers = retryAfter === undefined ? {} : { "Retry-After": String(retryAfter) };
  return data(plain, { status, headers });
}
