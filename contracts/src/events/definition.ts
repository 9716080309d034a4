import type { Static, TObject } from "typebox";

/** A named part of an event that is stored sealed under its own subject's key. */
export type PartName = "personal" | "reporter" | "account" | "security";

export type Parts = Partial<Record<PartName, TObject>>;

/**
 * One version of one event type. `clear` is what stands readable in the log; every part may be
 * absent from an event, and reads as `null` once its key is destroyed.
 */
export interface EventDefinition<
  T extends string = string,
  C extends TObject = TObject,
  P extends Parts = Parts,
> {
  readonly type: T;
  readonly version: number;
  readonly clear: C;
  readonly parts: P;
}

export function defineEvent<const T extends string, C extends TObject, const P extends Parts>(
  type: T,
  version: number,
  clear: C,
  parts: P,
): EventDefinition<T, C, P> {
  return { type, version, clear, parts };
}

/** The data of an event with its parts opened: null where the key was destroyed. */
export type OpenData<D> =
  D extends EventDefinition<string, infer C, infer P>
    ? Static<C> & { [K in keyof P]?: (P[K] extends TObject ? Static<P[K]> : never) | null }
    : never;

/** An event as deciders and folds see it. */
export type OpenEvent<D> =
  D extends EventDefinition<infer T, TObject, Parts>
    ? { readonly type: T; readonly data: OpenData<D> }
    : never;
