import type { LoaderFunctionArgs, RouterContextProvider } from "react-router-dom";
import type { AskedQuestion } from "#contracts/http/unsubscribe.ts";
import { ApiError, apiContext } from "../../api/client.ts";
import { getQuestion } from "../../api/reporter-links.ts";
import { linkProblem } from "../report-status/link-problem.ts";

/** Loads a moderator's question by its link, or throws an error page. */
export async function questionLoader({
  context,
  params,
  request,
}: LoaderFunctionArgs<Readonly<RouterContextProvider>>): Promise<AskedQuestion> {
  try {
    return await getQuestion(context.get(apiContext), params.token ?? "", request.signal);
  } catch (error) {
    throw error instanceof ApiError ? linkProblem(error) : error;
  }
}
