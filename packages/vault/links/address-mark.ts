import type { BlindIndexer } from "../sealing/blind-index.ts";

/**
 * Makes marks in place of a link's id, as UUIDs: keyed hashes that bind a link to the address that it
 * was mailed to.
 * @param field under which addresses are hashed, one for each kind of link.
 */
export function addressMarks(blind: BlindIndexer, field: string) {
  /** @param id of the report or account that the link is about. */
  return (id: string, address: string): string => {
    const hash = blind(field, `${id} ${address.trim().toLowerCase()}`);
    const hex = Buffer.from(hash, "base64url").subarray(0, 16).toString("hex");
    return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
  };
}
