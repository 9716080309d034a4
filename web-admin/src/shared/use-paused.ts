import { useEffect, useState } from "react";

/** A text as it was once nothing was typed for so many milliseconds. */
export function usePaused(text: string, ms: number): string {
  const [paused, setPaused] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setPaused(text), ms);
    return () => clearTimeout(timer);
  }, [text, ms]);
  return paused;
}
