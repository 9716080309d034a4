import { useCallback, useEffect, useRef } from "react";

/**
 * Delays changes that may shift the page until no pointer is pressed. Pressing a button moves the focus from a
 * field. If that field's error appeared immediately, the button would move before the release, and there would be
 * no click.
 * @returns a function that takes the change and runs it soon, or after the click.
 */
export function useAfterPress(): (then: () => void) => void {
  const pressed = useRef(false);
  const waiting = useRef<(() => void)[]>([]);
  const runWaiting = useCallback(() => {
    // The click follows right after the release, so wait for the next task.
    setTimeout(() => {
      if (pressed.current) return;
      for (const then of waiting.current.splice(0)) then();
    });
  }, []);
  useEffect(() => {
    const leaving = new AbortController();
    const early = { capture: true, signal: leaving.signal };
    const press = () => {
      pressed.current = true;
    };
    const release = () => {
      pressed.current = false;
      runWaiting();
    };
    window.addEventListener("pointerdown", press, early);
    for (const end of RELEASES) window.addEventListener(end, release, early);
    return () => leaving.abort();
  }, [runWaiting]);
  return useCallback(
    (then) => {
      waiting.current.push(then);
      runWaiting();
    },
    [runWaiting],
  );
}

/** A drag or a context menu ends without a `pointerup` that the page receives. */
const RELEASES = ["pointerup", "pointercancel", "dragend", "contextmenu"] as const;
