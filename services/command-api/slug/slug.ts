import anyAscii from "any-ascii";

/** Words of the routes: a report of that name would hide behind them. */
const ROUTE_WORDS = new Set(["recent", "search", "all", "submit", "report"]);

/**
 * Base of a report's address: `first-last` in a to z and hyphens, transliterated; `report` where
 * nothing is left or a route of that name exists. Numbers are added by the store, so no base holds
 * a digit and no two of them collide.
 */
export function baseSlug(firstName: string, lastName: string): string {
  const base = anyAscii(`${firstName} ${lastName}`.normalize("NFC"))
    .toLowerCase()
    .replace(/['’`]/g, "")
    .replace(/[^a-z]+/g, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, 80)
    .replace(/-+$/, "");
  return base === "" || ROUTE_WORDS.has(base) ? "report" : base;
}

/** `quinn-ames`, then `quinn-ames-2`, `quinn-ames-3`... */
export function numbered(base: string, number: number): string {
  return number === 1 ? base : `${base}-${number}`;
}
