import { type ReactElement, useEffect } from "react";
import { useLocation } from "react-router-dom";
import { CONSOLE_BASE } from "../config/paths.ts";
import { FullPageLoading } from "../shared/states.tsx";
import { ENDED } from "./console-auth-provider.ts";

/** The site's sign-in page, also used for the console. */
const SITE_SIGN_IN = "/login";

/** Redirects to the site's sign-in page, which leads back to the requested page. */
export function SignInPage(): ReactElement {
  const { state, search } = useLocation();
  useEffect(() => {
    const query = new URLSearchParams({ next: CONSOLE_BASE + nextPath(state) });
    if (new URLSearchParams(search).has(ENDED)) query.set(ENDED, "");
    window.location.replace(`${SITE_SIGN_IN}?${query}`);
  }, [state, search]);
  return <FullPageLoading />;
}

/** Returns the page the user was going to, as passed on by react-admin. */
function nextPath(state: unknown): string {
  const { nextPathname, nextSearch } = (state ?? {}) as Record<string, unknown>;
  if (typeof nextPathname !== "string" || nextPathname === "/") return "";
  return typeof nextSearch === "string" ? nextPathname + nextSearch : nextPathname;
}
