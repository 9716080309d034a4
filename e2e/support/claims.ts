import type { Page } from "playwright-core";
import { SELDOM } from "./browser.ts";
import { type Read, takeReads } from "./held-reads.ts";

/** What says that something is not there, or that the reader is not known or confirmed. */
const CLAIM = /\b(no|none|nothing|nobody|never|empty|0|not|\w+n['’]t|sign in to|confirm your)\b/i;
/** The same at the start of a line, where nothing but an answer can be its reason. */
export const PLAIN_CLAIM = /^(no|none|nothing|0)\b/i;

/** Notes each claim that is on the page in any frame after a change of it, also one that is there for a moment. */
export const noteClaims = (page: Page) =>
  page.addInitScript((source) => {
    const claim = new RegExp(source, "i");
    const seen = new Set<string>();
    const now = () => document.body?.innerText.split("\n").map((line) => line.trim()) ?? [];
    let isChanged = true;
    const all = { subtree: true, childList: true, characterData: true, attributes: true };
    new MutationObserver(() => {
      isChanged = true;
    }).observe(document, all);
    const look = () => {
      if (isChanged || document.getAnimations().length > 0)
        for (const line of now()) if (claim.test(line)) seen.add(line);
      isChanged = false;
      requestAnimationFrame(look);
    };
    look();
    Object.assign(globalThis, { claims: () => ({ seen: [...seen], now: now() }) });
  }, CLAIM.source);
export const claims = (page: Page) =>
  page.evaluate(() => {
    type Claims = { readonly seen: readonly string[]; readonly now: readonly string[] };
    return (globalThis as unknown as { claims(): Claims }).claims();
  });
/** Lets what came be drawn. */
const drawn = (page: Page) =>
  page.evaluate(
    () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
  );

/** The reads of a page that are held, in the order in which they were made. */
export class HeldReads {
  readonly #held: Read[] = [];
  #isOpen = false;

  static async of(page: Page): Promise<HeldReads> {
    const reads = new HeldReads();
    await takeReads(page, (read) => (reads.#isOpen ? read.send() : reads.#held.push(read)));
    return reads;
  }
  hold(): void {
    this.#isOpen = false;
  }
  /** Lets through what is held, one after the other, and what is asked for then. */
  async release(page: Page): Promise<void> {
    for (let next = this.#held.shift(); next; next = this.#held.shift()) {
      // Streams of events never end, so that an answer has come once it begins.
      const answered = page.waitForEvent("response", { timeout: 10_000 }).catch(() => undefined);
      await next.send();
      await answered;
      await drawn(page);
    }
    this.#isOpen = true;
  }
}

/**
 * What a page claims while it loads, and takes back once it has loaded.
 *
 * @param whileHeld looks at the page before its first answer, and returns what is wrong with it.
 */
export async function takenBack(
  page: Page,
  address: string,
  isLoaded: () => Promise<unknown>,
  whileHeld: () => Promise<readonly string[]> = async () => [],
): Promise<string[]> {
  await noteClaims(page);
  const held = await HeldReads.of(page);
  await page.goto(address, { waitUntil: "domcontentloaded" });
  await page.waitForFunction(() => document.querySelector("main"), undefined, SELDOM);
  await page.waitForLoadState("load");
  await drawn(page);
  const wrong = await whileHeld();
  const atFirst = (await claims(page)).seen.filter((line) => PLAIN_CLAIM.test(line));
  await held.release(page);
  await isLoaded();
  await drawn(page);
  const { seen, now } = await claims(page);
  return [...new Set([...wrong, ...atFirst, ...seen.filter((line) => !now.includes(line))])];
}
