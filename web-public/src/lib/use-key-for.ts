import { useRef } from "react";
import { newIdempotencyKey } from "./idempotency-key.ts";

/**
 * Returns a function that creates an idempotency key for a body. The same body again, for example after a lost
 * response, gets the same key.
 */
export function useKeyFor(): (body: unknown) => string {
  const last = useRef({ text: "", key: "" });
  return (body) => {
    const text = JSON.stringify(body);
    if (last.current.text !== text) last.current = { text, key: newIdempotencyKey() };
    return last.current.key;
  };
}
