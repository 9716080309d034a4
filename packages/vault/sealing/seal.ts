import type { Sealed } from "#contracts/sealed.ts";
import type { EventJson, EventObject } from "#event-store/port.ts";
import { openBytes, SealBroken, sealBytes } from "./box.ts";
import { canonicalList } from "./hashes.ts";

export { SealBroken } from "./box.ts";

/** The only place in the log where a sealed part opens. */
export interface SealContext {
  readonly eventId: string;
  readonly stream: string;
  readonly type: string;
  readonly schemaVersion: number;
  /** Name of the part in the event's data, or `client` in its metadata. */
  readonly part: string;
  /** Name of the key in the key store (see `subjects` in contracts). */
  readonly key: string;
}

/** Where a sealed part was found; the part itself names its key. */
type OpenContext = Omit<SealContext, "key">;

/** The only cell of a table in which a sealed value opens. */
interface ColumnContext {
  readonly table: string;
  readonly column: string;
  readonly rowId: string;
  readonly key: string;
}

function eventData(context: OpenContext, key: string): Buffer {
  const { eventId, stream, type, schemaVersion, part } = context;
  return canonicalList([eventId, stream, type, schemaVersion, part, key]);
}

function columnData(context: Omit<ColumnContext, "key">, key: string): Buffer {
  return canonicalList(["column", context.table, context.column, context.rowId, key]);
}

function parse(bytes: Buffer): EventJson {
  try {
    return JSON.parse(bytes.toString("utf8")) as EventJson;
  } catch {
    throw new SealBroken("a sealed value is not JSON");
  }
}

/** Parts of events are padded to a multiple of this many bytes. */
const PADDED_TO = 64;

/** Seals a part; see contracts/src/sealed.ts. Spaces hide the length of texts, which would otherwise stay readable. */
export function seal(key: Buffer, plaintext: EventObject, context: SealContext): Sealed {
  const json = Buffer.from(JSON.stringify(plaintext), "utf8");
  const bytes = Buffer.alloc(Math.ceil(json.length / PADDED_TO) * PADDED_TO, " ");
  json.copy(bytes);
  return { key: context.key, box: sealBytes(key, bytes, eventData(context, context.key)) };
}

/**
 * Opens a part.
 * @param key the key that `sealed.key` names.
 * @throws {SealBroken} if the part was changed, moved, or sealed with another key.
 */
export function open(key: Buffer, sealed: Sealed, context: OpenContext): EventObject {
  const value = parse(openBytes(key, sealed.box, eventData(context, sealed.key)));
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new SealBroken("a sealed part is not an object");
  return value;
}

/** Seals a value of a table. It opens only in the same table, column and row. */
export function sealColumn(key: Buffer, value: EventJson, context: ColumnContext): Sealed {
  const bytes = Buffer.from(JSON.stringify(value), "utf8");
  return { key: context.key, box: sealBytes(key, bytes, columnData(context, context.key)) };
}

/** @throws {SealBroken} if the value was changed, moved to another cell, or sealed with another key. */
export function openColumn(
  key: Buffer,
  sealed: Sealed,
  context: Omit<ColumnContext, "key">,
): EventJson {
  return parse(openBytes(key, sealed.box, columnData(context, sealed.key)));
}
