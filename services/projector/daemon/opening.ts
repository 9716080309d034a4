import { passes } from "#event-store/filter.ts";
import type { StoredEvent } from "#event-store/port.ts";
import type { KeyLookup, KeyStore } from "#vault/keys/key-store.ts";
import {
  type KeyLookups,
  KeyMissing,
  type RegistryCodec,
  UnknownEvent,
} from "#vault/sealing/event-codec.ts";
import type { OpenedEvent, Projection } from "./projection.ts";

/** What the consumers of a batch need opened. */
export interface Opening {
  /**
   * Whether any consumer of the event reads its sealed parts. If none does, its keys are not
   * fetched.
   */
  opens(event: StoredEvent): boolean;
  /** See {@link Projection.keysOf}. */
  keysOf(event: StoredEvent): readonly string[];
}

/** Combines the needs of all these projections. */
export function openingOf(projections: readonly Projection[]): Opening {
  const openers = projections.filter(({ opens }) => opens);
  const openersOf = (event: StoredEvent) => openers.filter(({ filter }) => passes(filter, event));
  return {
    opens: (event) => openers.some(({ filter }) => passes(filter, event)),
    keysOf: (event) => openersOf(event).flatMap((projection) => projection.keysOf(event)),
  };
}

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

/** Claims that every key was destroyed, so that sealed parts read as null and no key is fetched. */
class ClosedKeys extends Map<string, { state: "destroyed"; at: string }> {
  override get(_subject: string): { state: "destroyed"; at: string } {
    return { state: "destroyed", at: "" };
  }
}
const CLOSED: KeyLookups = new ClosedKeys();

/**
 * Opens a batch of the log and fetches its keys in one round trip. An event that cannot be opened
 * is returned with its error, unless a key is missing or its type is unknown: these stop the
 * opening.
 * @param keys keys of earlier batches, which are not fetched again. Those of this batch are added.
 * @throws {OpeningStopped}
 * @throws {KeyStoreUnavailable}
 * @throws {WrongMasterKey}
 * @throws {KeyBroken}
 */
export async function openEvents(
  stored: readonly StoredEvent[],
  { opens, keysOf }: Opening,
  { codec, keys: store }: { readonly codec: RegistryCodec; readonly keys: KeyStore },
  keys = new Map<string, KeyLookup>(),
): Promise<OpenedBatch> {
  const opened = stored.filter(opens);
  const demanded = new Map(opened.map((event) => [event, keysOf(event)]));
  const subjects = new Set([...codec.subjectsOf(opened), ...[...demanded.values()].flat()]);
  const unknown = [...subjects].filter((subject) => !keys.has(subject));
  if (unknown.length > 0)
    for (const [subject, lookup] of await store.get(unknown)) keys.set(subject, lookup);
  const events = stored.map((event, index): OpenedEvent | UnopenedEvent => {
    try {
      const subjects = demanded.get(event);
      if (!subjects) return { stored: event, event: codec.openEvent(event, CLOSED) };
      for (const subject of subjects) demand(keys, subject);
      return { stored: event, event: codec.openEvent(event, keys) };
    } catch (error) {
      if (error instanceof KeyMissing || error instanceof UnknownEvent)
        throw new OpeningStopped(error, index);
      return { stored: event, error: error as Error };
    }
  });
  return { events, keys };
}

/**
 * The event at `index` needs a missing key or a newer version. The events before it can be applied.
 */
export class OpeningStopped extends Error {
  override readonly name = "OpeningStopped";
  override readonly cause: KeyMissing | UnknownEvent;
  readonly index: number;
  constructor(cause: KeyMissing | UnknownEvent, index: number) {
    super(cause.message);
    this.cause = cause;
    this.index = index;
  }
}

function demand(keys: KeyLookups, subject: string): void {
  const { state } = keys.get(subject) ?? { state: "missing" };
  if (state === "missing") throw new KeyMissing(subject);
}
