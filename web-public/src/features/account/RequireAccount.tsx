import { type ReactNode, useRef } from "react";
import { Navigate, useLocation } from "react-router-dom";
import type { User } from "#contracts/http/account.ts";
import { Notice } from "../../components/Notice.tsx";
import { paths } from "../../config/paths.ts";
import { storeOf } from "../../session/session-store-of.ts";
import { useAccount, useSiteSession } from "../../session/site-session.ts";
import { signInFor } from "./after-sign-in.ts";

/** Shows a page to signed-in users. Others sign in first and then return; signing out here leads to the home page. */
export function RequireAccount(props: { children: (user: User) => ReactNode }) {
  const account = useAccount();
  const session = useSiteSession();
  const { pathname, search } = useLocation();
  const wasIn = useRef(false);
  // Without JavaScript it stays unknown.
  if (account.state === "unknown") return <p className="needs-script">Loading your account…</p>;
  if (account.state === "signed_in") {
    wasIn.current = true;
    return props.children(account.user);
  }
  const endedBy = storeOf(session).endedBy();
  if (wasIn.current && endedBy === "signed_out") return <Navigate to={paths.home} replace />;
  return <Navigate to={signInFor(pathname + search, endedBy === "ended")} replace />;
}

/** Shown on account pages in browsers without JavaScript. */
export function NeedsScripts() {
  return (
    <noscript>
      <Notice tone="warning">
        <p>
          Accounts need JavaScript. Turn it on, then reload this page. You can search and read
          reports without it.
        </p>
      </Notice>
    </noscript>
  );
}
