import { randomUUID } from "node:crypto";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  complete,
  isThere,
  LOADING,
  main,
  pagesOf,
  visit,
} from "../tools/pictures/console-pages.ts";
import type { Viewer } from "../tools/pictures/screen.ts";
import { openStage, type Stage } from "../tools/pictures/stage.ts";
import { findChromium, NO_BROWSER } from "./support/browser.ts";
import { type Read, takeReads } from "./support/held-reads.ts";
import { WIDE } from "./support/page-checks.ts";
import { skipWhere } from "./support/skip-where.ts";

const executable = findChromium();
/** What says that something is not there, or that the reader is not known or confirmed. */
const CLAIM = /\b(no|none|nothing|nobody|never|empty|0|not|\w+n['’]t|sign in to|confirm your)\b/i;
/** The same at the start of a line, where nothing but an answer can be its reason. */
const PLAIN_CLAIM = /^(no|none|nothing|0)\b/i;

let stage: Stage;
beforeAll(async () => {
  if (executable) stage = await openStage(executable);
}, 300_000);
afterAll(() => stage?.close());

/** Notes each claim that is on the page in any frame, also one that is there for a moment. */
const noteClaims = (page: Page) =>
  page.addInitScript((source) => {
    const claim = new RegExp(source, "i");
    const seen = new Set<string>();
    const now = () => document.body?.innerText.split("\n").map((line) => line.trim()) ?? [];
    const look = () => {
      for (const line of now()) if (claim.test(line)) seen.add(line);
      requestAnimationFrame(look);
    };
    look();
    Object.assign(globalThis, { claims: () => ({ seen: [...seen], now: now() }) });
  }, CLAIM.source);
const claims = (page: Page) =>
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
class HeldReads {
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

/** What a page claims while it loads, and takes back once it has loaded. */
async function takenBack(
  page: Page,
  address: string,
  isLoaded: () => Promise<unknown>,
): Promise<string[]> {
  await noteClaims(page);
  const held = await HeldReads.of(page);
  await page.goto(address, { waitUntil: "domcontentloaded" });
  await page.waitForFunction(() => document.querySelector("main"));
  await page.waitForLoadState("load");
  await drawn(page);
  const atFirst = (await claims(page)).seen.filter((line) => PLAIN_CLAIM.test(line));
  await held.release(page);
  await isLoaded();
  await drawn(page);
  const { seen, now } = await claims(page);
  return [...new Set([...atFirst, ...seen.filter((line) => !now.includes(line))])];
}

describe("what is not known while it loads", () => {
  skipWhere(executable ? undefined : NO_BROWSER);

  it("is not said by any page of the console", async () => {
    const pages = await pagesOf(stage);
    const found = await visit(stage, pages, (page, address) =>
      takenBack(page, address, () => complete(page, 60_000)),
    );
    expect(found).toEqual([]);
  }, 600_000);

  it("is not said by a list of the console whose filter changes", async () => {
    const nothing = (name: string) =>
      `?filter=${encodeURIComponent(JSON.stringify({ [name]: "zzzz" }))}`;
    /** What leads from a filter that nothing matches to all rows. */
    const lists: Readonly<Record<string, string>> = {
      [`/admin/reports${nothing("q")}`]: "Show all reports",
      [`/admin/users${nothing("search")}`]: "Show all users",
      [`/admin/audit-logs${nothing("search")}`]: "Show all entries",
      [`/admin/content${nothing("q")}`]: "Clear filters",
      [`/admin/mails?account=${randomUUID()}`]: "Mail",
    };
    const found = await visit(stage, Object.keys(lists), async (page, address, path) => {
      await noteClaims(page);
      const held = await HeldReads.of(page);
      await held.release(page);
      await page.goto(address, { waitUntil: "load" });
      const none = main(page).getByText(/^No /).first();
      await none.waitFor();
      held.hold();
      const name = lists[path] as string;
      const exact = { name, exact: true };
      await page.getByRole("button", exact).or(page.getByRole("link", exact)).click();
      await main(page).locator(LOADING).first().waitFor();
      // What loads may be a change by somebody else, and then the new filter is not drawn yet.
      await none.waitFor({ state: "hidden", timeout: 10_000 }).catch(() => undefined);
      const said = (await claims(page)).now.filter((line) => PLAIN_CLAIM.test(line));
      await held.release(page);
      await complete(page, 60_000);
      if (!(await isThere(main(page).locator("tbody tr, li").first())))
        said.push("no rows at last");
      return said;
    });
    expect(found).toEqual([]);
  }, 600_000);

  it.each([
    ["/dashboard", "owner"],
    ["/dashboard", "newcomer"],
    ["/profile", "owner"],
    ["/account-settings", "owner"],
    ["{own}", "owner"],
    ["/report", "owner"],
    ["/search?q=rae%40shop.example", "owner"],
    ["/login", "visitor"],
  ] as const)("is not said by %s to the %s", async (path, as) => {
    const start = { name: "start", path, ...(as === "visitor" ? {} : { as: as as Viewer }) };
    const found = await stage.show(
      { ...start, waits: true },
      { width: WIDE.width, colours: "light" },
      (page) => takenBack(page, page.url(), () => page.waitForLoadState("networkidle")),
    );
    expect(found).toEqual([]);
  });
});
