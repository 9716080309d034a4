import type { Role } from "#contracts/http/account.ts";
import { paths } from "../../config/paths.ts";

/** Query of the sign-in page's address: the page to come back to. */
const NEXT = "next";

/** Says in the same query that a session ended by itself. */
const ENDED = "ended";

/** Address of the sign-in page that comes back to a page of this site. */
export function signInFor(page: string, hasEnded: boolean): string {
  const query = new URLSearchParams({ [NEXT]: page, ...(hasEnded ? { [ENDED]: "" } : {}) });
  return `${paths.login}?${query}`;
}

/** Whether the address of the sign-in page says that a session ended by itself. */
export function hasEnded(search: string): boolean {
  return new URLSearchParams(search).has(ENDED);
}

/** Why one is asked to sign in; undefined for who came by themselves. */
export function whySignIn(search: string): string | undefined {
  if (hasEnded(search)) return "Your session has ended. Sign in again.";
  const next = nextPage(search);
  if (!next) return undefined;
  return isConsole(next) ? "Sign in to open the back office." : "Sign in to open this page.";
}

/** The page that somebody was on the way to; undefined for none, and for one of another site. */
export function nextPage(search: string): string | undefined {
  const asked = new URLSearchParams(search).get(NEXT);
  // Browsers take "\" for "/", leave out tabs and line ends, and "//host" is another site.
  if (!asked || !/^\/(?![/\\])[^\s\\]*$/.test(asked)) return undefined;
  const page = asked.split(/[?#]/, 1)[0];
  return page === paths.login || page === paths.register ? undefined : asked;
}

/** Where a sign-in leads: to where one was going, else staff to the console, others to their reports. */
export function afterSignIn(role: Role, next: string | undefined): string {
  return next ?? (role === "user" ? paths.dashboard : paths.console);
}

/** Whether a page is of the console, another application, which needs a full page load. */
export function isConsole(page: string): boolean {
  return new RegExp(`^${paths.console}(?=$|[/?#])`).test(page);
}
