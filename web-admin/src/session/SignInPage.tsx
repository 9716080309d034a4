import { type ReactElement, useEffect } from "react";
import { useLocation } from "react-router-dom";
import { CONSOLE_BASE } from "../config/paths.ts";
import { FullPageLoading } from "../shared/states.tsx";
import { ENDED } from "./console-auth-provider.ts";

/** The site's sign-in, which is the console's as well. */
const SITE_SIGN_IN = "/login";

/** Leads to the site's sign-in, and from there back to where somebody was going. */
export function SignInPage(): ReactElement {
  const { state, search } = useLocation();
  useEffect(() => {
    const query = new URLSearchParams({ next: CONSOLE_BASE + nextPath(state) });
    if (new URLSearchParams(search).has(ENDED)) query.set(ENDED, "");
    window.location.replace(`${SITE_SIGN_IN}?${query}`);
  }, [state, search]);
  return <FullPageLoading />;
}

/** The page someone was on the way to, as react-admin passes it on. */
function nextPath(state: unknown): string {
  const { nextPathname, nextSearch } = (state ?? {}) as Record<string, unknown>;
  if (typeof nextPathname !== "string" || nextPathname === "/") return "";
  return typeof nextSearch === "string" ? nextPathname + nextSearch : nextPathname;
}
