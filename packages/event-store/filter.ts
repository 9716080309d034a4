import type { EventFilter, StoredEvent } from "./port.ts";

/** Whether an event passes. Without a filter every event does; an empty list lets none pass. */
export function passes(
  filter: EventFilter | undefined,
  event: Pick<StoredEvent, "stream" | "type">,
): boolean {
  const { streamPrefixes, types } = filter ?? {};
  return (
    (types === undefined || types.includes(event.type)) &&
    (streamPrefixes === undefined ||
      streamPrefixes.some((prefix) => event.stream.startsWith(prefix)))
  );
}
