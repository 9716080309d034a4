import { data } from "react-router-dom";

/** Content of an error page. Loaders throw it with a status. */
export interface PageProblem {
  readonly heading: string;
  readonly text: string;
}

/** Creates the error that a loader throws to show an error page. */
export function pageProblem(status: number, heading: string, text: string) {
  return data<PageProblem>({ heading, text }, { status });
}

export function isPageProblem(value: unknown): value is PageProblem {
  return typeof value === "object" && value !== null && "heading" in value && "text" in value;
}

/** The site's generic error messages. */
export const PROBLEMS = {
  400: { heading: "Bad request", text: "Check the address and try again." },
  404: {
    heading: "Page not found",
    text: "There's no page at this address. It may be mistyped, or the page may have moved.",
  },
  500: {
    heading: "Something went wrong",
    text: "We couldn't load this page because of an error on our end. We've logged the error.",
  },
} as const satisfies Record<number, PageProblem>;

/** Loader for URLs without a page. */
export function notFound(): never {
  throw data<PageProblem>(PROBLEMS[404], { status: 404 });
}
