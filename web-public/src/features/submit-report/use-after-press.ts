import { useCallback, useEffect, useRef } from "react";

/**
 * Delays what may move the page until nothing is pressed. A press takes the focus from a field; if
 * that field's problem appeared at once, the button under the pointer would move away before it is
 * released, and the press would do nothing.
 * @returns takes what is to be done: after the click that a press ends in, or in a moment.
 */
export function useAfterPress(): (then: () => void) => void {
  const pressed = useRef(false);
  const waiting = useRef<(() => void)[]>([]);
  const goOn = useCallback(() => {
    // A click is dispatched together with the release, and a tap's with its loss of focus.
    setTimeout(() => {
      if (pressed.current) return;
      for (const then of waiting.current.splice(0)) then();
    });
  }, []);
  useEffect(() => {
    const press = () => {
      pressed.current = true;
    };
    const release = () => {
      pressed.current = false;
      goOn();
    };
    window.addEventListener("pointerdown", press, true);
    for (const end of RELEASES) window.addEventListener(end, release, true);
    return () => {
      window.removeEventListener("pointerdown", press, true);
      for (const end of RELEASES) window.removeEventListener(end, release, true);
    };
  }, [goOn]);
  return useCallback(
    (then) => {
      waiting.current.push(then);
      goOn();
    },
    [goOn],
  );
}

/** A drag, and a browser menu, end without a release that the page sees. */
const RELEASES = ["pointerup", "pointercancel", "dragend", "contextmenu"] as const;
