import { useEffect } from "react";
import { useNavigate } from "react-router-dom";
import { useAccount } from "../../session/site-session.ts";
import { afterSignIn, isConsole } from "./after-sign-in.ts";

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
