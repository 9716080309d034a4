import type { Page, Request, Route } from "playwright-core";
import { describe, expect, it } from "vitest";
import {
  asAdmin,
  complete,
  isThere,
  LOADING,
  main,
  pagesOf,
  visit,
} from "../tools/pictures/console-pages.ts";
import { sharedSetting, sharedStage } from "../tools/pictures/shared-stage.ts";
import type { Stage } from "../tools/pictures/stage.ts";
import { SELDOM } from "./support/browser.ts";
import { HeldReads, retractedClaims } from "./support/claims.ts";
import { READS, takeReads } from "./support/held-reads.ts";
import { NARROW, within } from "./support/page-checks.ts";
import { beforeAllInBrowser } from "./support/shared.ts";

/** A form that waits for no answer: it is complete even if the API is unavailable or slow. */
const FORM = "/admin/content/new?type=blog";
/** Runs checks and shows each failure; the button to run them again stays. */
const CHECKS = "/admin/test";
/**
 * A time, with its zone after it. Without the two lookarounds it would also match in part, as the hours and
 * minutes before seconds, which no zone follows.
 */
const TIMES = /(?<![\d:])\d?\d:\d\d(?<seconds>:\d\d)?(?![\d:])(?: [AP]M)?(?<zone> GMT\+9| UTC)?/g;
/** Pages without times: figures, forms, checks, shipped texts, and a list that is empty here. All others have some. */
const TIMELESS =
  /^\/admin\/(analytics|reports\/deleted|settings|test|content\/(new.*|terms)|templates(\/approved\/shipped)?)$|\/edit$/;

/** Lists that show failures with the same component as the users' list (`RecordList.tsx`). */
const LISTS =
  /^\/admin\/(reports|reports\/deleted|audit-logs|documents|documents\/notices|notices|payments|mails|inquiries|resolutions|templates|content)$/;

let stage: Stage;
/** Paths of the console's sections and of pages opened from them. */
let pages: readonly string[];

beforeAllInBrowser(async () => {
  stage = await sharedStage();
  pages = [...(await pagesOf(stage, await sharedSetting())), FORM, CHECKS];
});

const isRead = (request: Request) => READS.test(request.url());
const pathOf = (request: Request) => new URL(request.url()).pathname;

/** Returns the paths read by the frame around every page. A form that waits for no answer reads only those. */
async function readsOfFrame(): Promise<ReadonlySet<string>> {
  const paths = new Set<string>();
  await visit(stage, [FORM], async (page, address) => {
    page.on("request", (request) => isRead(request) && paths.add(pathOf(request)));
    await page.goto(address, { waitUntil: "networkidle" });
    return [];
  });
  return paths;
}

interface Reads {
  /** Whether the API is unavailable. */
  isAway: boolean;
  failed: number;
}

/** Makes the API's reads fail while it is unavailable. */
async function failingReads(page: Page): Promise<Reads> {
  const reads = { isAway: true, failed: 0 };
  await takeReads(page, (read) => {
    if (!reads.isAway) return read.send();
    reads.failed += 1;
    return read.fail();
  });
  return reads;
}

/** Returns what is wrong with a form that must work without any answer. */
async function brokenForm(page: Page): Promise<string[]> {
  const title = main(page).getByLabel("Title");
  await title.fill("Typed without an answer");
  const lines = await loadingAtLast(page);
  const kept = await title.inputValue();
  return kept === "Typed without an answer" ? lines : [...lines, "forgets what is typed"];
}

/** Returns what is wrong with the checks page, first with the API unavailable and then with it back. */
async function checksAgain(page: Page, reads: Reads): Promise<string[]> {
  const failed = main(page).getByText(/^\d+ checks? of \d+ failed\.$/);
  const passed = main(page).getByText(/^All \d+ checks passed\.$/);
  await failed.waitFor();
  reads.isAway = false;
  // On a busy machine, a process may be late for a check.
  while (!(await passed.isVisible())) {
    await main(page).getByRole("button", { name: "Run again" }).click();
    await failed.or(passed).waitFor();
  }
  return loadingAtLast(page);
}

/** Waits until nothing is loading. @returns what still is after a minute. */
async function loadingAtLast(page: Page): Promise<string[]> {
  if (await within(complete(page, 60_000))) return [];
  const parts = await main(page)
    .locator(LOADING)
    .evaluateAll((all) => all.map((part) => `still loads: ${part.outerHTML}`));
  return parts.length > 0 ? parts : ["shows nothing"];
}

/** @returns an error if a page whose answers are slow does not show that it is loading. */
async function saysNoLoading(page: Page): Promise<string[]> {
  const loading = main(page).locator(LOADING).first();
  const says = loading.waitFor({ state: "attached", timeout: 20_000 });
  return (await within(says))
    ? []
    : [`does not say that it loads, but: ${await main(page).innerText()}`];
}

/** Returns times without the reader's named zone, or without UTC on hover. */
async function wrongTimes(page: Page, path: string): Promise<string[]> {
  const times = main(page).locator("time");
  if (!TIMELESS.test(path) && !(await isThere(times.first())))
    return [`tells no time, but: ${await main(page).innerText()}`];
  const told = await times.evaluateAll((all) =>
    all.map((time) => ({ text: time.textContent ?? "", title: (time as HTMLElement).title })),
  );
  // A daily time, such as that of backups, is not an instant, and is in UTC.
  const unnamed = [...(await main(page).innerText()).matchAll(TIMES)].filter(
    ({ groups: { seconds, zone } = {} }) =>
      zone !== " GMT+9" && (zone !== " UTC" || seconds !== undefined),
  );
  return [
    ...unnamed.map(([time]) => `${time} names no zone`),
    ...told
      .filter(({ title }) => !/\d:\d\d:\d\d [AP]M UTC/.test(title))
      .map(({ text }) => `"${text}" is not in UTC under the pointer`),
  ];
}

/**
 * Returns what in the header overlaps, leaves it or is cut off, even after its scripts had time to adapt to a new
 * width.
 */
async function wrongHeader(page: Page): Promise<string[]> {
  const deadline = Date.now() + 5_000;
  let wrong = await wrongInHeader(page);
  while (wrong.length > 0 && Date.now() < deadline) wrong = await wrongInHeader(page);
  return wrong;
}

async function wrongInHeader(page: Page): Promise<string[]> {
  const header = page.getByRole("banner");
  await header.getByRole("button", { name: "Account menu" }).waitFor();
  return header.evaluate((all) => {
    const { bottom, right } = all.getBoundingClientRect();
    const parts = [...all.querySelectorAll("button, a, h1, h2")]
      .map((part) => ({
        name: part.getAttribute("aria-label") ?? part.textContent,
        box: part.getBoundingClientRect(),
        isCut: part.scrollWidth > part.clientWidth + 1,
      }))
      .filter(({ box }) => box.width > 0);
    const isOver = (a: DOMRect, b: DOMRect) =>
      a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
    return parts.flatMap(({ name, box, isCut }, index) => [
      ...(isCut ? [`${name} is cut off`] : []),
      ...(box.right > right || box.bottom > bottom ? [`${name} leaves the header`] : []),
      ...parts
        .slice(index + 1)
        .filter((other) => isOver(box, other.box))
        .map((other) => `${name} overlaps ${other.name}`),
    ]);
  });
}

describe("every page of the console", () => {
  it("reports a failed read, and reads again when asked to", async () => {
    const others = pages.filter((path) => !LISTS.test(path));
    const found = await visit(stage, others, async (page, address) => {
      const reads = await failingReads(page);
      await page.goto(address);
      if (address.endsWith(FORM)) return brokenForm(page);
      if (address.endsWith(CHECKS)) return checksAgain(page, reads);
      const again = main(page).getByRole("button", { name: /^Try again/ });
      if (!(await within(again.first().waitFor({ timeout: 20_000 }))))
        return [`says nothing but: ${await main(page).innerText()}`];
      const loading = await loadingAtLast(page);
      if (loading.length > 0) return loading;
      reads.isAway = false;
      for (let left = await again.count(); left > 0; left = await again.count()) {
        await again.first().click();
        const isRead = await within(
          page.waitForFunction(
            (before) =>
              [...document.querySelectorAll("main button")].filter((button) =>
                (button.getAttribute("aria-label") ?? button.textContent)?.startsWith("Try again"),
              ).length < before,
            left,
            { ...SELDOM, timeout: 60_000 },
          ),
        );
        if (!isRead) return [`was not read again: ${await again.first().innerText()}`];
      }
      const alerts = await main(page).locator(".MuiAlert-colorError").allInnerTexts();
      return [
        ...(await loadingAtLast(page)),
        ...alerts.map((text) => `still has the alert ${text}`),
      ];
    });
    expect(found).toEqual([]);
  }, 600_000);

  it("shows only that it is loading, then times in the reader's zone and a header that fits a phone", async () => {
    const ofFrame = await readsOfFrame();
    const found = await visit(stage, pages, async (page, address, path) => {
      const session = await page.context().newCDPSession(page);
      await session.send("Emulation.setTimezoneOverride", { timezoneId: "Asia/Tokyo" });
      const loading: string[] = [];
      const isLoaded = async () => loading.push(...(await loadingAtLast(page)));
      const lines: string[] = [];
      if (address.endsWith(FORM)) {
        await HeldReads.of(page);
        await page.goto(address);
        lines.push(...(await brokenForm(page)));
      } else {
        // Until its code has loaded and requests something, it is the frame that shows that the page is loading.
        const asks = page.waitForRequest(
          (request) => isRead(request) && !ofFrame.has(pathOf(request)),
        );
        const claimed = await retractedClaims(page, address, isLoaded, async () => {
          await asks;
          return saysNoLoading(page);
        });
        lines.push(...claimed, ...(await wrongTimes(page, path)));
      }
      await page.setViewportSize(NARROW);
      return [...loading, ...lines, ...(await wrongHeader(page))];
    });
    expect(found).toEqual([]);
  }, 600_000);

  it("shows that it is loading while its code loads", async () => {
    await asAdmin(stage, async (page) => {
      const held: Route[] = [];
      await page.route("**/assets/AuditLogList-*.js", (route) => void held.push(route));
      await page.getByRole("link", { name: "Audit logs" }).click();
      await main(page).getByText("Loading…").waitFor();
      for (const route of held) await route.continue();
      await main(page).getByRole("columnheader", { name: "Timestamp" }).waitFor();
    });
  });

  it("keeps unsaved edits to a report when reading it again fails", async () => {
    await asAdmin(stage, async (page) => {
      const edit = pages.find((path) => path.endsWith("/edit")) as string;
      await page.goto(new URL(edit, page.url()).href, { waitUntil: "networkidle" });
      const title = main(page).getByLabel("Title");
      await title.fill("Typed and not saved");
      const reads = await failingReads(page);
      const id = edit.split("/").at(-2) as string;
      const read = page.waitForEvent("requestfailed", (request) => request.url().includes(id));
      await page.evaluate(() => window.dispatchEvent(new Event("visibilitychange")));
      await read;
      expect(reads.failed).toBeGreaterThan(0);
      reads.isAway = false;
      await page.getByRole("button", { name: "Account menu" }).click();
      await page.keyboard.press("Escape");
      await expect.poll(() => title.inputValue()).toBe("Typed and not saved");
    });
  });
});
