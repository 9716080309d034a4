import type { StoredEvent } from "#event-store/port.ts";
import type { KeyStore } from "#kit/keys/key-store.ts";
import { type KeyLookups, KeyMissing, UnknownEvent } from "#kit/sealing/event-codec.ts";
import type { OpenedEvent, Projection, RegistryCodec } from "./projection.ts";

/** What opening needs to know of whoever gets the events. */
export type Opening = Pick<Projection, "opens" | "takesUnknown" | "keysOf">;

/** An event that could not be opened, and why. */
export interface UnopenedEvent {
  readonly stored: StoredEvent;
  readonly error: Error;
}

export interface OpenedBatch {
  readonly events: readonly (OpenedEvent | UnopenedEvent)[];
  readonly keys: KeyLookups;
}

export function isUnopened(event: OpenedEvent | UnopenedEvent): event is UnopenedEvent {
  return "error" in event;
}

/** Answers for every key that it was destroyed: parts read as null, and nothing is fetched. */
class ClosedKeys extends Map<string, { state: "destroyed"; at: string }> {
  override get(_subject: string): { state: "destroyed"; at: string } {
    return { state: "destroyed", at: "" };
  }
}
const CLOSED: KeyLookups = new ClosedKeys();

/**
 * Opens a stretch of the log, its keys in one round trip. An event that cannot be opened, but for
 * want of a key, stands in the result with its error.
 * @throws {KeyMissing} with `before`: how many events stand before the one that wants the key.
 * @throws {KeyStoreUnavailable} @throws {WrongMasterKey} @throws {KeyBroken}
 */
export async function openEvents(
  stored: readonly StoredEvent[],
  { opens, takesUnknown, keysOf }: Opening,
  { codec, keys }: { readonly codec: RegistryCodec; readonly keys: KeyStore },
): Promise<OpenedBatch> {
  let lookups = CLOSED;
  if (opens) {
    const subjects = new Set(codec.subjectsOf(stored));
    for (const event of stored) for (const subject of keysOf(event)) subjects.add(subject);
    lookups = subjects.size > 0 ? await keys.get([...subjects]) : new Map();
  }
  const events = stored.map((event, index): OpenedEvent | UnopenedEvent => {
    try {
      if (opens) for (const subject of keysOf(event)) demand(lookups, subject);
      return { stored: event, event: codec.openEvent(event, lookups) };
    } catch (error) {
      if (error instanceof KeyMissing) throw new MissingAt(error, index);
      if (takesUnknown && error instanceof UnknownEvent) return { stored: event, event: undefined };
      return { stored: event, error: error as Error };
    }
  });
  return { events, keys: lookups };
}

/** A key is missing for the event at `index`; those before it can be applied. */
export class MissingAt extends KeyMissing {
  readonly index: number;
  constructor(cause: KeyMissing, index: number) {
    super(cause.subject);
    this.index = index;
  }
}

function demand(keys: KeyLookups, subject: string): void {
  const { state } = keys.get(subject) ?? { state: "missing" };
  if (state === "missing") throw new KeyMissing(subject);
}
