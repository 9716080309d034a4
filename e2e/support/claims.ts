import type { Page } from "playwright-core";
import { SELDOM } from "./browser.ts";
import { type Read, takeReads } from "./held-reads.ts";

/** Words that claim something is missing, or that the reader is not signed in or confirmed. */
const CLAIM = /\b(no|none|nothing|nobody|never|empty|0|not|\w+n['’]t|sign in to|confirm your)\b/i;
/** The same at the start of a line, where only an answer can justify it. */
export const PLAIN_CLAIM = /^(no|none|nothing|0)\b/i;

/** Records every claim the page shows in any frame after a change, even for a moment. */
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
/** Waits until what arrived is drawn. */
const drawn = (page: Page) =>
  page.evaluate(
    () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
  );

/** The held reads of a page, in the order they were made. */
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
  /** Releases the held reads one by one, then lets later ones through. */
  async release(page: Page): Promise<void> {
    for (let next = this.#held.shift(); next; next = this.#held.shift()) {
      // Event streams never end, so an answer counts as arrived once it begins.
      const answered = page.waitForEvent("response", { timeout: 10_000 }).catch(() => undefined);
      await next.send();
      await answered;
      await drawn(page);
    }
    this.#isOpen = true;
  }
}

/**
 * Returns what a page claims while it loads and no longer claims once it has loaded.
 *
 * @param whileHeld checks the page before its first answer and returns what is wrong with it.
 */
export async function retractedClaims(
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
