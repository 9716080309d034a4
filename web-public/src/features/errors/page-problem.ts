import { data } from "react-router-dom";

/** What a page shows when it cannot be displayed. Loaders throw it with a status. */
export interface PageProblem {
  readonly heading: string;
  readonly text: string;
}

/** The error that a loader throws to show its own page. */
export function pageProblem(status: number, heading: string, text: string) {
  return data<PageProblem>({ heading, text }, { status });
}

export function isPageProblem(value: unknown): value is PageProblem {
  return typeof value === "object" && value !== null && "heading" in value && "text" in value;
}

/** Loader of every address without a page. */
export function notFound(): never {
  throw pageProblem(
    404,
    "Page not found",
    "There's no page at this address. It may be mistyped, or the page may have moved.",
  );
}
