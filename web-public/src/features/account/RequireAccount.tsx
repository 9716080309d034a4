import { type ReactNode, useRef } from "react";
import { Navigate, useLocation } from "react-router-dom";
import type { User } from "#contracts/http/account.ts";
import { paths } from "../../config/paths.ts";
import { storeOf } from "../../session/session-store-of.ts";
import { useAccount, useSiteSession } from "../../session/site-session.ts";
import { signInFor } from "./after-sign-in.ts";

/**
 * Shows a page to who is signed in. Others sign in first and come back; who signs out here goes
 * home.
 */
export function RequireAccount(props: {
  /** Until it is known who is signed in. Without JavaScript that is never known. */
  waiting: ReactNode;
  children: (user: User) => ReactNode;
}) {
  const account = useAccount();
  const session = useSiteSession();
  const { pathname, search } = useLocation();
  const wasIn = useRef(false);
  if (account.state === "unknown") return <div className="needs-script">{props.waiting}</div>;
  if (account.state === "signed_in") {
    wasIn.current = true;
    return props.children(account.user);
  }
  const endedBy = storeOf(session).endedBy();
  if (wasIn.current && endedBy === "signed_out") return <Navigate to={paths.home} replace />;
  return <Navigate to={signInFor(pathname + search, endedBy === "ended")} replace />;
}
