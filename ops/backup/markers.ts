import { randomUUID } from "node:crypto";
import { type Static, Type } from "typebox";
import { Value } from "typebox/value";
import type { BackupList } from "#contracts/http/backups.ts";
import { withClient } from "#runtime/db/pool.ts";
import { Refusal } from "#runtime/lifecycle/refusal.ts";
import type { BackupPlaces } from "./backups.ts";
import { PRODUCT } from "./manifest.ts";
import { orNoRegistry } from "./source.ts";

const Marker = Type.Object({
  product: Type.Literal(PRODUCT),
  kind: Type.Enum(["data", "keys"]),
  /** ID of the log. */
  log: Type.String({ format: "uuid" }),
  /** The same in two places that belong together. */
  pair: Type.String({ format: "uuid" }),
});
type Marker = Static<typeof Marker>;
type Found = Marker | "none" | "unreadable";

/** A registry's record of its places, kept outside of them. */
export interface PlaceMemory {
  /** The last pair of places it used, if any. */
  recall(): Promise<string | undefined>;
  remember(pair: string): Promise<void>;
}

const KINDS = ["data", "keys"] as const;
type Kind = (typeof KINDS)[number];
const VARIABLES = { data: "BACKUP_URL", keys: "BACKUP_KEYS_URL" } as const;
const THINGS = { data: "archives", keys: "sets of keys" } as const;
const UNCHANGED = "Nothing was written or removed.";

/**
 * Checks that the places belong to this registry, to detect a disk that is not mounted and a place that was
 * moved, swapped or mistyped. The first backup marks both.
 * @param isNew marks places without a marker, and those of other registries.
 * @throws {Refusal} if they belong to another registry; nothing was written.
 */
export async function claimPlaces(
  places: BackupPlaces,
  log: string,
  memory: PlaceMemory,
  isNew = false,
): Promise<void> {
  const known = await memory.recall();
  const found = { data: await markerOf(places, "data"), keys: await markerOf(places, "keys") };
  refuseSwapped(places, found, log);
  const pairOf = (kind: Kind) => (isOwn(found[kind], log) ? found[kind].pair : undefined);
  const pairs = KINDS.map(pairOf);
  const isOnePair = pairs[0] !== undefined && pairs[0] === pairs[1];
  if (isOnePair && (known === undefined || known === pairs[0])) {
    if (known === undefined) await memory.remember(pairs[0] as string);
    return;
  }
  const isFirst =
    known === undefined &&
    KINDS.every((kind) => pairOf(kind) !== undefined || found[kind] === "none") &&
    (await areEmpty(places));
  if (!isNew && !isFirst) throw new Refusal(await whyNot(places, found, log));
  const pair = [known, ...pairs].find((each) => each && pairs.includes(each)) ?? randomUUID();
  for (const kind of KINDS)
    if (pairOf(kind) !== pair)
      await places[kind].writeMarker(
        JSON.stringify({ product: PRODUCT, kind, log, pair } satisfies Marker),
      );
  // Last, so that an attempt interrupted before this line can be repeated.
  await memory.remember(pair);
}

async function markerOf(places: BackupPlaces, kind: Kind): Promise<Found> {
  const text = await places[kind].readMarker();
  if (text === undefined) return "none";
  try {
    const marker: unknown = JSON.parse(text);
    return Value.Check(Marker, marker) ? marker : "unreadable";
  } catch {
    return "unreadable";
  }
}

const isOwn = (found: Found, log: string): found is Marker =>
  typeof found === "object" && found.log === log;

/** A place for the other kind is never right, however new. */
function refuseSwapped(places: BackupPlaces, found: Record<Kind, Found>, log: string): void {
  const wrong = KINDS.filter((kind) => isOwn(found[kind], log) && found[kind].kind !== kind);
  const [kind] = wrong;
  if (kind === undefined) return;
  throw new Refusal(
    wrong.length === 2
      ? `BACKUP_URL and BACKUP_KEYS_URL are swapped: exchange them. ${UNCHANGED}`
      : `${VARIABLES[kind]} (${places[kind].where}) is where this registry keeps its ${kind === "data" ? "keys" : "archives"}: correct it. ${UNCHANGED}`,
  );
}

async function areEmpty(places: BackupPlaces): Promise<boolean> {
  for (const kind of KINDS) if ((await places[kind].list()).length > 0) return false;
  return true;
}

async function whyNot(
  places: BackupPlaces,
  found: Record<Kind, Found>,
  log: string,
): Promise<string> {
  const reasons: string[] = [];
  for (const kind of KINDS)
    if (typeof found[kind] === "object" ? found[kind].log !== log : found[kind] === "unreadable")
      reasons.push(`${VARIABLES[kind]} (${places[kind].where}) belongs to another registry.`);
    else if (found[kind] === "none") reasons.push(await missingSentence(places, kind));
  if (reasons.length === 0)
    reasons.push(
      `${places.data.where} (BACKUP_URL) and ${places.keys.where} (BACKUP_KEYS_URL) are not the pair of places that this registry uses.`,
    );
  return `${reasons.join(" ")} ${UNCHANGED} If this is a new place, run npm run backup -- --new-place`;
}

/** Returns a sentence such as "9 sets of keys but no archives: is the disk mounted?" */
async function missingSentence(places: BackupPlaces, kind: Kind): Promise<string> {
  const other = kind === "data" ? "keys" : "data";
  const [here, there] = [await places[kind].list(), await places[other].list()].map(
    ({ length }) => length,
  ) as [number, number];
  const name = `${VARIABLES[kind]} (${places[kind].where})`;
  if (here > 0) return `${name} has ${here} ${THINGS[kind]}, but no marker of a registry.`;
  if (there === 0) return `${name} has no marker of this registry: is the disk mounted?`;
  return `${there} ${THINGS[other]} but no ${THINGS[kind]} in ${name}: is the disk mounted?`;
}

/** The registry's record of its places and the list that admins see, in `ops.backup_place`. */
export class DatabaseMemory implements PlaceMemory {
  readonly #url: string;

  /** @param url of the database, for the backup role. */
  constructor(url: string) {
    this.#url = url;
  }

  async recall(): Promise<string | undefined> {
    const [row] = await this.#query("select pair from ops.backup_place");
    return (row?.pair as string | null) ?? undefined;
  }

  async remember(pair: string): Promise<void> {
    await this.#query(
      `insert into ops.backup_place (pair) values ($1)
       on conflict (single) do update set pair = excluded.pair`,
      [pair],
    );
  }

  /** Stores the current contents of the places, for the console. */
  async show(list: BackupList): Promise<void> {
    await this.#query(
      `insert into ops.backup_place (list, listed_at) values ($1, now())
       on conflict (single) do update set list = excluded.list, listed_at = excluded.listed_at`,
      [JSON.stringify(list)],
    );
  }

  async #query(text: string, values: unknown[] = []): Promise<Record<string, unknown>[]> {
    return withClient(
      { url: this.#url, name: "backup" },
      async (client) => (await orNoRegistry(client.query(text, values), "DATABASE_URL")).rows,
    );
  }
}
