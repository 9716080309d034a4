import { createContext, Suspense, useContext, useEffect } from "react";
import { useRefresh } from "react-admin";
import { lazyExport } from "../shared/later.ts";
import type { IdleSession } from "./idle-session.ts";

/** The idle session of this tab, provided by the console. */
export const IdleContext = createContext({} as IdleSession);

/** Events that count as activity. */
const USES = ["keydown", "pointerdown", "wheel", "touchstart"] as const;
const POLL_MS = 1_000;

const IdleDialogs = lazyExport("IdleDialogs", () => import("./IdleDialogs.tsx"));

/** Warns staff before they are signed out for inactivity, then waits for them to sign in again. */
export function IdleGuard() {
  const idle = useContext(IdleContext);
  const state = idle.shown.use();
  const refresh = useRefresh();
  useEffect(() => {
    void idle.open();
    const timer = setInterval(() => idle.look(), POLL_MS);
    const used = () => idle.used();
    for (const type of USES) window.addEventListener(type, used, { capture: true, passive: true });
    return () => {
      clearInterval(timer);
      for (const type of USES) window.removeEventListener(type, used, { capture: true });
    };
  }, [idle]);
  useEffect(() => {
    if (state.kind !== "over") return;
    // Polled, because another tab writes the session one key at a time.
    const timer = setInterval(() => {
      const now = idle.resume();
      if (now === "goes_on") refresh();
      if (now === "other_account") window.location.reload();
    }, POLL_MS);
    return () => clearInterval(timer);
  }, [idle, state, refresh]);
  if (state.kind === "used") return null;
  return (
    <Suspense fallback={null}>
      <IdleDialogs state={state} onStay={() => void idle.tell()} />
    </Suspense>
  );
}
