import { useEffect } from "react";
import { useNavigate } from "react-router-dom";
import { ACCOUNT_DONE } from "#contracts/account/account-words.ts";
import type { StoredSession } from "#session-client/session-store.ts";
import { ApiError } from "../../api/client.ts";
import { showToast } from "../../components/toast-store.ts";
import { storeOf } from "../../session/session-store-of.ts";
import type { SiteSession } from "../../session/site-session.ts";
import { useAccount } from "../../session/site-session.ts";
import { afterSignIn, isConsole } from "./after-sign-in.ts";

/** What opens a session. */
export interface OpenedSession extends StoredSession {
  /** Whether the account was waiting to be erased, and is kept. */
  readonly deletion_canceled?: true;
}

/** Stores what a sign-in or a registration was answered with, which signs in. */
export function openSession(session: SiteSession, data: OpenedSession | undefined): void {
  if (!data) throw new ApiError(0, { code: "garbled" });
  const { user, token, refreshToken } = data;
  storeOf(session).write({ user, token, refreshToken });
  if (data.deletion_canceled) showToast({ kind: "info", text: ACCOUNT_DONE.kept });
}

/** Leaves the page as soon as somebody is signed in, by this page or another tab. */
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
