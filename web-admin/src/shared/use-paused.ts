import { useEffect, useState } from "react";

/** Returns the text, debounced. @param ms length of the pause in typing, in milliseconds. */
export function useDebounced(text: string, ms: number): string {
  const [paused, setPaused] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setPaused(text), ms);
    return () => clearTimeout(timer);
  }, [text, ms]);
  return paused;
}
