import { useEffect } from "react";
import { useNavigate } from "react-router-dom";
import { ACCOUNT_DONE } from "#contracts/account/account-messages.ts";
import type { StoredSession } from "#session-client/session-store.ts";
import { ApiError } from "../../api/client.ts";
import { showToast } from "../../components/toast-store.ts";
import { storeOf } from "../../session/session-store-of.ts";
import type { SiteSession } from "../../session/site-session.ts";
import { useAccount } from "../../session/site-session.ts";
import { afterSignIn, isConsole } from "./after-sign-in.ts";

/** The response that opens a session. */
export interface OpenedSession extends StoredSession {
  /** Present if the account was scheduled for deletion and is now kept. */
  readonly deletion_canceled?: true;
}

/** Stores the response to a sign-in or registration, which signs the user in. */
export function openSession(session: SiteSession, data: OpenedSession | undefined): void {
  if (!data) throw new ApiError(0, { code: "garbled" });
  const { user, token, refreshToken } = data;
  storeOf(session).write({ user, token, refreshToken });
  if (data.deletion_canceled) showToast({ kind: "info", text: ACCOUNT_DONE.kept });
}

/** Leaves the page as soon as the user is signed in, in this tab or another. */
export function useGoOn(next: string | undefined): void {
  const { user } = useAccount();
  const navigate = useNavigate();
  const role = user?.role;
  useEffect(() => {
    if (!role) return;
    const page = afterSignIn(role, next);
    if (isConsole(page)) location.replace(page);
    else void navigate(page, { replace: true });
  }, [role, next, navigate]);
}
