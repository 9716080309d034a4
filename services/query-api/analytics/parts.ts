import type { FastifyBaseLogger } from "fastify";

type Loads = Readonly<Record<string, () => Promise<unknown>>>;
type Loaded<L extends Loads> = { [Name in keyof L]: Awaited<ReturnType<L[Name]>> | null };

/**
 * Loads all parts of an answer at the same time. One that fails is null, and named in `failed`; the
 * others are not lost with it.
 */
export async function loadParts<L extends Loads>(
  loads: L,
  log: Pick<FastifyBaseLogger, "error">,
): Promise<Loaded<L> & { readonly failed: (keyof L & string)[] }> {
  const failed: (keyof L & string)[] = [];
  const parts = await Promise.all(
    Object.entries(loads).map(async ([name, load]) => {
      try {
        return [name, await load()] as const;
      } catch (err) {
        log.error({ err, part: name }, "a part of the answer could not be read");
        failed.push(name);
        return [name, null] as const;
      }
    }),
  );
  return { ...(Object.fromEntries(parts) as Loaded<L>), failed };
}
