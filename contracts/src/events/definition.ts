import type { Static, TObject } from "typebox";

/** A named part of an event, sealed with its own subject's key. */
export type PartName =
  | "personal"
  | "reporter"
  | "text"
  | "reporter_text"
  | "account"
  | "security"
  | "sender"
  | "note"
  | "decision"
  | "content"
  | "template";

/** Parts that hold free text, with the part in which that text is sealed. */
export const TEXT_PARTS = { personal: "text", reporter: "reporter_text" } as const;
export type TextOwner = keyof typeof TEXT_PARTS;

/** Returns an open part with its free texts changed and other values unchanged. Visits texts in a fixed order. */
export type TextMapper = (part: OpenFields, change: (text: string) => string) => OpenFields;

export type Parts = Partial<Record<PartName, TObject>>;

/** One version of an event type. `clear` is readable in the log; a part reads as `null` once its key is destroyed. */
export interface EventDefinition<
  T extends string = string,
  C extends TObject = TObject,
  P extends Parts = Parts,
> {
  readonly type: T;
  readonly version: number;
  readonly clear: C;
  readonly parts: P;
  /** Parts that must be present when an event is sealed. */
  readonly required?: readonly PartName[];
  /** Free texts by part, sealed with a key of this event alone. They read as masked once that key is destroyed. */
  readonly texts?: { readonly [P in TextOwner]?: TextMapper };
  /** Clear fields and parts of which at least one must be present when an event is sealed. */
  readonly oneOf?: readonly string[];
}

export function defineEvent<const T extends string, C extends TObject, const P extends Parts>(
  type: T,
  version: number,
  clear: C,
  parts: P,
  more: Pick<EventDefinition<T, C, P>, "required" | "oneOf" | "texts"> = {},
): EventDefinition<T, C, P> {
  return { type, version, clear, parts, ...more };
}

/** The data of an event with its parts opened; null if the key was destroyed. */
export type OpenData<D> =
  D extends EventDefinition<string, infer C, infer P>
    ? Static<C> & { [K in keyof P]?: (P[K] extends TObject ? Static<P[K]> : never) | null } & {
        /** Whether the key of its free texts was destroyed. Set only when an event is opened. */
        readonly masked?: true;
      }
    : never;

/** An event as deciders and folds see it. */
export type OpenEvent<D> =
  D extends EventDefinition<infer T, TObject, Parts>
    ? { readonly type: T; readonly data: OpenData<D> }
    : never;

/** Open data of any event: clear fields, and parts that are null once their key is destroyed. */
export type OpenFields = Readonly<Record<string, unknown>>;

/** Converts open events of an earlier version to the next one. Must accept null parts. */
export interface Upcaster {
  /** The earlier version's definition, as it was when events were stored under it. */
  readonly from: EventDefinition;
  upcast(data: OpenFields): OpenFields;
}
