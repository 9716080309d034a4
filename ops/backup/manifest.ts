import { createHmac, hkdfSync, timingSafeEqual } from "node:crypto";
import { type Static, Type } from "typebox";
import { Value } from "typebox/value";
import { Refusal } from "#runtime/lifecycle/refusal.ts";
import { opensCheck } from "#vault/keys/master-ring.ts";

export const PRODUCT = "chargeback-registry";

/** Increases when an earlier version could not restore an archive of this one. */
export const ARCHIVE_FORMAT = 1;

/** Parts besides the tables. */
export const EVENTS = "events";
export const FILES = "files";

/** Name of the first entry. */
export const HEAD = "head.json";
/** Name of the last entry. */
export const MANIFEST = "manifest.json";
/** Bytes; an archive without its manifest must not fill the memory. */
export const MANIFEST_LIMIT = 1_048_576;

const Hash = Type.String({ pattern: "^[0-9a-f]{64}$" });
const Count = Type.Integer({ minimum: 0 });

/** What an archive holds of one kind: the log, the files, or one table. */
const Part = Type.Object({
  entries: Count,
  bytes: Count,
  /** Events, files, or rows. */
  items: Count,
  /** Of each entry: its name, its size and its bytes. */
  sha256: Hash,
  /** Of a table, in the order of its rows' values. */
  columns: Type.Optional(Type.Array(Type.String())),
});
export type Part = Static<typeof Part>;

/** A version of the master key that the keys in a backup are wrapped under. */
const NeededKey = Type.Object({
  version: Type.Integer({ minimum: 1 }),
  /** Base64; opens under the master key of that version, and under no other. */
  check: Type.String(),
});
export type NeededKey = Static<typeof NeededKey>;

const headFields = {
  product: Type.Literal(PRODUCT),
  format: Type.Literal(ARCHIVE_FORMAT),
  /** `data` and `keys` of one backup have the same id. */
  backup: Type.String({ format: "uuid" }),
  kind: Type.Enum(["data", "keys"]),
  /** Id of the log. */
  log: Type.String({ format: "uuid" }),
  version: Type.String(),
  /** RFC 3339. */
  madeAt: Type.String(),
  byHand: Type.Boolean(),
  /** The last one signs the manifest. */
  masterKeys: Type.Array(NeededKey, { minItems: 1 }),
};
const Head = Type.Object(headFields);

/** The first entry of an archive: what is to be known before all of it is read. The manifest repeats it, signed. */
export type Head = Static<typeof Head>;

const Manifest = Type.Object({
  ...headFields,
  /** Parts by name, in the order of the archive. */
  parts: Type.Record(Type.String(), Part),
  /** Ids of the migrations of each schema whose tables are in it. */
  migrations: Type.Record(Type.String(), Type.Array(Type.String())),
  /** How far the ledger of erasures was written; absent where none is kept. */
  ledger: Type.Optional(Type.Object({ id: Type.String(), bytes: Count, sha256: Hash })),
  /** HMAC-SHA-256, hex, of the others. */
  mac: Hash,
});

/** The last entry of an archive: what it holds, and a proof that no one changed it. */
export type Manifest = Static<typeof Manifest>;

/** A key of its own for manifests, from the master key. */
function macOf(manifest: Omit<Manifest, "mac">, masterKey: Buffer): Buffer {
  const key = Buffer.from(hkdfSync("sha256", masterKey, "", `${PRODUCT} manifest`, 32));
  const { mac: _, ...signed } = manifest as Manifest;
  return createHmac("sha256", key).update(JSON.stringify(signed)).digest();
}

/** The manifest as stored. */
export function signManifest(manifest: Omit<Manifest, "mac">, masterKey: Buffer): string {
  return JSON.stringify({ ...manifest, mac: macOf(manifest, masterKey).toString("hex") });
}

/** @param what the archive, for a sentence. @throws {Refusal} it is of another program, newer, or damaged. */
export function readHead(text: string, what: string): Head {
  const found = parse(text);
  if (found.product !== PRODUCT)
    throw new Refusal(`${what} is no archive of this program: it can't be restored.`);
  if (typeof found.format === "number" && found.format > ARCHIVE_FORMAT)
    throw new Refusal(
      `${what} was made by a newer version of this program (${String(found.version)}): restore it with that version.`,
    );
  if (!Value.Check(Head, found)) throw changed(what);
  return found;
}

/** Versions of the master key that a backup needs and that none of the given ones is. */
export function missingVersions(
  { masterKeys }: Pick<Head, "masterKeys">,
  given: readonly Buffer[],
): number[] {
  const isMissing = ({ version, check }: NeededKey) =>
    !given.some((key) => opensCheck(key, Buffer.from(check, "base64"), version));
  return masterKeys.filter(isMissing).map(({ version }) => version);
}

/** @throws {Refusal} a master key that the backup needs was not given. */
export function requireKeys(head: Head, given: readonly Buffer[], what: string): void {
  const [missing] = missingVersions(head, given);
  if (missing !== undefined)
    throw new Refusal(
      `${what} needs version ${missing} of its registry's master key, which wasn't given. Add it to MASTER_KEY, after the current one and a comma if you have both. The archive itself isn't damaged.`,
    );
}

/** @param head the archive's first entry. @throws {Refusal} the archive was changed. */
export function readManifest(
  text: string,
  head: Head,
  masterKeys: readonly Buffer[],
  what: string,
): Manifest {
  const found = parse(text);
  if (!Value.Check(Manifest, found)) throw changed(what);
  const names = Object.keys(headFields) as (keyof Head)[];
  if (!names.every((name) => Value.Equal(found[name], head[name]))) throw changed(what);
  const mac = Buffer.from(found.mac, "hex");
  if (!masterKeys.some((key) => timingSafeEqual(macOf(found, key), mac))) throw changed(what);
  return found;
}

export function changed(what: string): Refusal {
  return new Refusal(`${what} was changed or damaged: it can't be restored.`);
}

function parse(text: string): Record<string, unknown> {
  try {
    return Object(JSON.parse(text));
  } catch {
    return {};
  }
}
