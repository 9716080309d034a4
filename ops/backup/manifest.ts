import { createHmac, hkdfSync, timingSafeEqual } from "node:crypto";
import { type Static, Type } from "typebox";
import { Value } from "typebox/value";
import { Refusal } from "#runtime/lifecycle/refusal.ts";
import { opensCheck } from "#vault/keys/master-ring.ts";

export const PRODUCT = "chargeback-registry";

/** Incremented when an earlier version could not restore this version's archives. */
export const ARCHIVE_FORMAT = 1;

/** Parts other than the tables. */
export const EVENTS = "events";
export const FILES = "files";

/** Name of the first entry. */
export const HEAD = "head.json";
/** Name of the last entry. */
export const MANIFEST = "manifest.json";
/** In bytes, so that an archive without a manifest does not fill the memory. */
export const MANIFEST_LIMIT = 1_048_576;

const Hash = Type.String({ pattern: "^[0-9a-f]{64}$" });
const Count = Type.Integer({ minimum: 0 });

/** One kind of content in an archive: the log, the files, or one table. */
const Part = Type.Object({
  entries: Count,
  bytes: Count,
  /** Events, files, or rows. */
  items: Count,
  /** Over each entry's name, size and bytes. */
  sha256: Hash,
  /** Of a table, in the order of its rows' values. */
  columns: Type.Optional(Type.Array(Type.String())),
});
export type Part = Static<typeof Part>;

/** A version of the master key that wraps keys in a backup. */
const NeededKey = Type.Object({
  version: Type.Integer({ minimum: 1 }),
  /** Base64; decrypts only with that version of the master key. */
  check: Type.String(),
});
export type NeededKey = Static<typeof NeededKey>;

const headFields = {
  product: Type.Literal(PRODUCT),
  format: Type.Literal(ARCHIVE_FORMAT),
  /** The same for the `data` and `keys` of one backup. */
  backup: Type.String({ format: "uuid" }),
  kind: Type.Enum(["data", "keys"]),
  /** ID of the log. */
  log: Type.String({ format: "uuid" }),
  version: Type.String(),
  /** RFC 3339. */
  madeAt: Type.String(),
  byHand: Type.Boolean(),
  /** The last one signs the manifest. */
  masterKeys: Type.Array(NeededKey, { minItems: 1 }),
};
const Head = Type.Object(headFields);

/** The first entry of an archive: everything to know before reading the rest. The signed manifest repeats it. */
export type Head = Static<typeof Head>;

const Manifest = Type.Object({
  ...headFields,
  /** Parts by name, in archive order. */
  parts: Type.Record(Type.String(), Part),
  /** IDs of the migrations of each schema whose tables it contains. */
  migrations: Type.Record(Type.String(), Type.Array(Type.String())),
  /** How far the erasure ledger was written; absent if none is kept. */
  ledger: Type.Optional(Type.Object({ id: Type.String(), bytes: Count, sha256: Hash })),
  /** HMAC-SHA-256 (hex) of the other fields. */
  mac: Hash,
});

/** The last entry of an archive: a list of its contents, and proof that no one changed it. */
export type Manifest = Static<typeof Manifest>;

/** Uses a separate key for manifests, derived from the master key. */
function macOf(manifest: Omit<Manifest, "mac">, masterKey: Buffer): Buffer {
  const key = Buffer.from(hkdfSync("sha256", masterKey, "", `${PRODUCT} manifest`, 32));
  const { mac: _, ...signed } = manifest as Manifest;
  return createHmac("sha256", key).update(JSON.stringify(signed)).digest();
}

/** Returns the manifest as stored. */
export function signManifest(manifest: Omit<Manifest, "mac">, masterKey: Buffer): string {
  return JSON.stringify({ ...manifest, mac: macOf(manifest, masterKey).toString("hex") });
}

/** @param what the archive, for a sentence. @throws {Refusal} if it is from another program, newer, or damaged. */
export function readHead(text: string, what: string): Head {
  const found = parse(text);
  if (found.product !== PRODUCT)
    throw new Refusal(`${what} isn't an archive of this program: it can't be restored.`);
  if (typeof found.format === "number" && found.format > ARCHIVE_FORMAT)
    throw new Refusal(
      `${what} was made by a newer version of this program (${String(found.version)}): restore it with that version.`,
    );
  if (!Value.Check(Head, found)) throw changed(what);
  return found;
}

/** Returns the master key versions that a backup needs and that are missing from the given ones. */
export function missingVersions(
  { masterKeys }: Pick<Head, "masterKeys">,
  given: readonly Buffer[],
): number[] {
  const isMissing = ({ version, check }: NeededKey) =>
    !given.some((key) => opensCheck(key, Buffer.from(check, "base64"), version));
  return masterKeys.filter(isMissing).map(({ version }) => version);
}

/** @throws {Refusal} if a master key that the backup needs is missing. */
export function requireKeys(head: Head, given: readonly Buffer[], what: string): void {
  const [missing] = missingVersions(head, given);
  if (missing !== undefined)
    throw new Refusal(
      `${what} needs version ${missing} of its registry's master key, which wasn't given. Add it to MASTER_KEY, after the current one and a comma if you have both. The archive itself isn't damaged.`,
    );
}

/** @param head the archive's first entry. @throws {Refusal} if the archive was changed. */
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
