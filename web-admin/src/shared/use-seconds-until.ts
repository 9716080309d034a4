import { useEffect, useState } from "react";

/** Returns whole seconds until a time in milliseconds since the epoch; 0 once it has passed. */
export function useSecondsUntil(untilMs: number): number {
  const [seconds, setSeconds] = useState(() => secondsUntil(untilMs));
  useEffect(() => {
    setSeconds(secondsUntil(untilMs));
    const timer = setInterval(() => setSeconds(secondsUntil(untilMs)), 250);
    return () => clearInterval(timer);
  }, [untilMs]);
  return seconds;
}

const secondsUntil = (ms: number) => Math.max(0, Math.ceil((ms - Date.now()) / 1000));
