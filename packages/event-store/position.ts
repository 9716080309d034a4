import type { Position } from "./port.ts";

const DIGITS = 20;
const POSITION = /^[0-9]{20}$/;

/** Whether a text, for instance from a header or a checkpoint, has the form of a position. */
export function isPosition(text: string): text is Position {
  return POSITION.test(text);
}

/** Formats a store's own number as a position. */
export function formatPosition(value: bigint | string): Position {
  return value.toString().padStart(DIGITS, "0");
}

/** @throws {RangeError} the text is not a position. */
export function parsePosition(position: Position): bigint {
  if (!isPosition(position)) throw new RangeError("not a position: 20 digits are expected");
  return BigInt(position);
}
