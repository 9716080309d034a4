import { createHash } from "node:crypto";
import pLimit from "p-limit";
import { type Card, drawCard } from "./draw-card.ts";

/** Pictures that are kept, of about 20 kB each. */
const KEPT = 200;
/** Pictures that may wait to be drawn. They are drawn one at a time, in some 100 ms. */
const WAITING = 16;

export interface DrawnCard {
  readonly png: Buffer;
  /** As an entity tag of HTTP. */
  readonly tag: string;
}

/** More pictures wait to be drawn than should. */
export class TooManyCards extends Error {
  override name = "TooManyCards";
}

/**
 * Draws pictures, each once while it is kept. A picture is kept under what it says, so that a report
 * that changes has another, and one that is gone is not asked for.
 */
export function createCardStore(draw: (card: Card) => Promise<Buffer> = drawCard) {
  const oneAtATime = pLimit(1);
  const kept = new Map<string, Promise<DrawnCard>>();

  async function drawn(card: Card): Promise<DrawnCard> {
    const png = await oneAtATime(() => draw(card));
    return { png, tag: `"${createHash("sha256").update(png).digest("base64url").slice(0, 22)}"` };
  }

  /** @throws {TooManyCards} */
  function get(card: Card): Promise<DrawnCard> {
    const key = JSON.stringify(card);
    const found = kept.get(key);
    if (!found && oneAtATime.pendingCount >= WAITING) return Promise.reject(new TooManyCards());
    const picture = found ?? drawn(card);
    // The order of the map is that of use, so the first one is used least.
    kept.delete(key);
    kept.set(key, picture);
    if (!found)
      picture.catch(() => {
        if (kept.get(key) === picture) kept.delete(key);
      });
    const [oldest] = kept.keys();
    if (kept.size > KEPT && oldest !== undefined) kept.delete(oldest);
    return picture;
  }
  /** Forgets what is kept. @returns how many there were. */
  const clear = () => {
    const { size } = kept;
    kept.clear();
    return size;
  };
  return Object.assign(get, { clear });
}
