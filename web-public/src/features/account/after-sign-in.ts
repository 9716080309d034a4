import type { Role } from "#contracts/http/account.ts";
import { paths } from "../../config/paths.ts";

/** Query parameter of the sign-in page: the page to return to. */
const NEXT = "next";

/** Query parameter of the sign-in page: the session ended by itself. */
const ENDED = "ended";

/** Returns the URL of the sign-in page that leads back to a page of this site. */
export function signInFor(page: string, hasEnded: boolean): string {
  const query = new URLSearchParams({ [NEXT]: page, ...(hasEnded ? { [ENDED]: "" } : {}) });
  return `${paths.login}?${query}`;
}

/** Whether the sign-in page's query says that a session ended by itself. */
export function hasEnded(search: string): boolean {
  return new URLSearchParams(search).has(ENDED);
}

/** Explains why the user must sign in; undefined if they came on their own. */
export function whySignIn(search: string): string | undefined {
  if (hasEnded(search)) return "Your session has ended. Sign in again.";
  const next = nextPage(search);
  if (!next) return undefined;
  return isConsole(next) ? "Sign in to open the back office." : "Sign in to open this page.";
}

/** Returns the page the user was going to; undefined if there is none or it is on another site. */
export function nextPage(search: string): string | undefined {
  const asked = new URLSearchParams(search).get(NEXT);
  // Browsers treat "\" as "/" and drop tabs and line breaks; "//host" is another site.
  if (!asked || !/^\/(?![/\\])[^\s\\]*$/.test(asked)) return undefined;
  const page = asked.split(/[?#]/, 1)[0];
  return page === paths.login || page === paths.register ? undefined : asked;
}

/** Returns where a sign-in leads: to `next`, or else staff to the console and others to their reports. */
export function afterSignIn(role: Role, next: string | undefined): string {
  return next ?? (role === "user" ? paths.dashboard : paths.console);
}

/** Whether a page belongs to the console, a separate application that needs a full page load. */
export function isConsole(page: string): boolean {
  return new RegExp(`^${paths.console}(?=$|[/?#])`).test(page);
}
