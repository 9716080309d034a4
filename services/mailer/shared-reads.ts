import type { TemplateKind } from "#contracts/mail/template-kinds.ts";
import type { ReadTemplate } from "#mail-templates/active-template.ts";
import { Coalescer } from "#runtime/db/coalescer.ts";
import type { KeyLookup, KeyStore } from "#vault/keys/key-store.ts";

/**
 * Reads the keys of mails that are written at the same time by one statement. It begins after each of its calls, so
 * a key that was destroyed before the call is not found.
 */
export function shareKeyReads(keys: Pick<KeyStore, "get">): Pick<KeyStore, "get"> {
  const reads = new Coalescer(
    async (
      calls: readonly (readonly string[])[],
    ): Promise<readonly ReadonlyMap<string, KeyLookup>[]> => {
      const found = await keys.get([...new Set(calls.flat())]);
      return calls.map(
        (subjects) => new Map(subjects.map((each) => [each, found.get(each) as KeyLookup])),
      );
    },
  );
  return { get: (subjects) => reads.add(subjects) };
}

type ReadKind = (kind: TemplateKind) => Promise<ReadTemplate | undefined>;

/**
 * Reads the active template of a kind once for all mails that wait for it. The read begins after each of its calls,
 * so a template that was activated before the call holds.
 */
export function shareTemplateReads(read: ReadKind): ReadKind {
  const kinds = new Map<TemplateKind, Coalescer<undefined, ReadTemplate | undefined>>();
  return (kind) => {
    const known = kinds.get(kind);
    const reads =
      known ??
      new Coalescer<undefined, ReadTemplate | undefined>(async (calls) => {
        const active = await read(kind);
        return calls.map(() => active);
      });
    if (!known) kinds.set(kind, reads);
    return reads.add(undefined);
  };
}
