import type { ContentPage } from "#contracts/http/content.ts";
import { loading } from "../../api/client.ts";
import { contentProblem } from "./content-problem.ts";

/** Loads the legal page of a route whose path is the text's slug. */
export const legalLoader = loading((api, { request: { url, signal } }) => {
  const slug = new URL(url).pathname.replaceAll("/", "");
  return api.get<ContentPage>(`/api/content/${encodeURIComponent(slug)}`, { signal });
}, contentProblem);
