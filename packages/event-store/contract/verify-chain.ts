import { type ChainFault, type ChainTip, verifyLink } from "../batch.ts";
import type { StoredEvent } from "../port.ts";

/** Returns the first event of a stream that does not follow. It can't detect events missing at the end. */
export function verifyChain(
  events: Iterable<StoredEvent>,
): { readonly event: StoredEvent; readonly fault: ChainFault } | undefined {
  let tip: ChainTip | undefined;
  for (const event of events) {
    const fault = verifyLink(tip, event);
    if (fault) return { event, fault };
    tip = { revision: event.revision, hash: event.metadata.hash };
  }
  return undefined;
}
