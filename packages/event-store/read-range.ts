import type { Position, ReadOptions, Revision } from "./port.ts";
import { parsePosition } from "./position.ts";

/** Where a read starts and in which direction it goes, checked and with defaults filled in. */
export interface ReadRange<From> {
  /** Undefined: from the end. */
  readonly from: From | undefined;
  readonly backwards: boolean;
  /** Infinity: no limit. */
  readonly limit: number;
}

/**
 * Without `from`, forwards starts at the first event and backwards at the last.
 * @throws {RangeError} for an invalid revision or limit.
 */
export function streamRange(
  from: Revision | "end" | undefined,
  options: ReadOptions = {},
): ReadRange<Revision> {
  const backwards = options.direction === "backwards";
  if (from !== undefined && from !== "end" && !(Number.isInteger(from) && from >= 0))
    throw new RangeError('a revision is an integer from 0, or "end"');
  const first = from ?? (backwards ? "end" : 0);
  // Reading forwards from the end finds nothing.
  const limit = first === "end" && !backwards ? 0 : checkLimit(options.limit);
  return { from: first === "end" ? undefined : first, backwards, limit };
}

/** @throws {RangeError} for an invalid position or limit. */
export function logRange(from: Position | undefined, options: ReadOptions = {}): ReadRange<bigint> {
  const backwards = options.direction === "backwards";
  const position = from === undefined ? undefined : parsePosition(from);
  return {
    from: position ?? (backwards ? undefined : 0n),
    backwards,
    limit: checkLimit(options.limit),
  };
}

function checkLimit(limit = Number.POSITIVE_INFINITY): number {
  if (limit === Number.POSITIVE_INFINITY || (Number.isInteger(limit) && limit >= 0)) return limit;
  throw new RangeError("a limit is an integer from 0");
}
