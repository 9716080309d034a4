import type { LoaderFunctionArgs, RouterContextProvider } from "react-router-dom";
import type { FaqItem } from "#contracts/http/content.ts";
import { apiContext } from "../../api/client.ts";
import { getFaq } from "../../api/reads.ts";
import { contentProblem } from "../content/content-problem.ts";
import { readFaqCache } from "./faq-cache.ts";

export interface FaqData {
  readonly items: readonly FaqItem[];
  /** What the visitor searches for in the list; empty for nothing. */
  readonly text: string;
  /**
   * The server's list, where `items` are those that the browser kept; null if it cannot be read.
   */
  readonly newest?: Promise<readonly FaqItem[] | null>;
}

/** Shows what the browser kept, if anything, and lets the server's list follow. */
export async function faqLoader({
  context,
  request,
}: LoaderFunctionArgs<Readonly<RouterContextProvider>>): Promise<FaqData> {
  const text = new URL(request.url).searchParams.get("q")?.trim().slice(0, 200) ?? "";
  const list = getFaq(context.get(apiContext), request.signal);
  const kept = typeof window === "undefined" ? undefined : readFaqCache();
  if (kept) return { items: kept, text, newest: list.catch(() => null) };
  try {
    return { items: await list, text };
  } catch (error) {
    throw contentProblem(error);
  }
}
