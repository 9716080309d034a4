import { useEffect, useRef, useState } from "react";
import { useRevalidator } from "react-router-dom";

/** Longest pause between two tries, in seconds. */
const LONGEST_PAUSE = 60;
/** Pauses get longer by up to this part at random, so that pages that failed together do not ask together. */
const SPREAD = 0.25;

interface SearchAwayProps {
  /** Seconds until another try makes sense, by the registry. */
  readonly retryAfter: number;
  /** Another object after each refusal. */
  readonly refusal: unknown;
}

/** Says that the search is away, and tries it again by itself; without scripts it only says so. */
export function SearchAway({ retryAfter, refusal }: SearchAwayProps) {
  const { revalidate } = useRevalidator();
  const tries = useRef(0);
  const [isTrying, setIsTrying] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each refusal begins the next pause.
  useEffect(() => {
    setIsTrying(true);
    // Tries count as searches, so they get rarer.
    const pause = Math.min(retryAfter * 2 ** tries.current, LONGEST_PAUSE);
    const ms = pause * 1000 * (1 + Math.random() * SPREAD);
    const timer = setTimeout(() => {
      tries.current += 1;
      void revalidate();
    }, ms);
    return () => clearTimeout(timer);
  }, [retryAfter, refusal, revalidate]);
  return (
    <p>
      Search is unavailable at the moment.
      {isTrying ? " This page will try again automatically." : " Please try again in a minute."}
    </p>
  );
}
