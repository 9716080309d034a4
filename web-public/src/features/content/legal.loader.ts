import type { LoaderFunctionArgs, RouterContextProvider } from "react-router-dom";
import type { ContentPage } from "#contracts/http/content.ts";
import { apiContext } from "../../api/client.ts";
import { getContent } from "../../api/reads.ts";
import { contentProblem } from "./content-problem.ts";

/** Loads the legal page of a route whose path is the text's slug. */
export async function legalLoader({
  context,
  request,
}: LoaderFunctionArgs<Readonly<RouterContextProvider>>): Promise<ContentPage> {
  const slug = new URL(request.url).pathname.replaceAll("/", "");
  try {
    return await getContent(context.get(apiContext), slug, request.signal);
  } catch (error) {
    throw contentProblem(error);
  }
}
