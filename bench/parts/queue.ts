import { setTimeout as delay } from "node:timers/promises";
import type { Page } from "playwright-core";
import {
  findChromium,
  NO_BROWSER,
  openBrowser,
  openPage,
  storeSession,
} from "../../e2e/support/browser.ts";
import { openSession } from "../../e2e/support/sessions.ts";
import { closedLoop, percentile } from "../load.ts";
import { Random, uniqueReport } from "../made-up-reports.ts";
import type { BenchOptions } from "../options.ts";
import { type Row, rowOf } from "../row.ts";
import type { BenchStores } from "../stores.ts";
import { ADMIN, type System } from "../system.ts";

const SUBMIT = "/prod/api/reports/submit";
/** No one reads a report faster than this, and the next ones are fetched during that time. */
const READING_MS = 1000;

/** Measures the time from approving a report until the next one shows, compared with reading one report. */
export async function* queueRows(
  { url, visitor, as, signIn }: System,
  { profile }: BenchStores,
  { samples }: BenchOptions,
): AsyncGenerator<Row> {
  const executable = findChromium();
  if (!executable) return console.error(`  ${profile}: ${NO_BROWSER}`);
  const random = new Random();
  const admin = as(await signIn());
  const ids: string[] = [];
  // One more than are approved, because something must follow the last one.
  for (let n = 0; n <= samples; n += 1) {
    const { id } = await visitor<{ id: string }>("POST", SUBMIT, uniqueReport(random).body);
    // Only a report with a confirmed reporter is queued for a decision.
    await admin("POST", `/prod/api/admin/reports/${id}/verify`, {});
    ids.push(id);
  }
  const browser = await openBrowser(executable, true);
  const waits: number[] = [];
  try {
    const { page } = await openPage(browser);
    await storeSession(page, url, await openSession(url, ADMIN));
    await page.goto(`${url}/admin/queue`);
    for (let n = 0; n < samples; n += 1) {
      await page.locator("main h2:focus").waitFor();
      await delay(READING_MS);
      waits.push(await approved(page));
    }
  } finally {
    await browser.close();
  }
  const read = await closedLoop({ connections: 1, seconds: 1 }, (n) =>
    admin("GET", `/prod/api/admin/reports/${ids[n % ids.length]}`),
  );
  yield rowOf({
    name: "approval to the queue's next report, 95th percentile",
    profile,
    value: percentile(waits, 0.95),
    unit: "ms",
    baseline: read.p50,
    baselineName: "reading one report",
    p50: percentile(waits, 0.5),
    p99: percentile(waits, 0.99),
    target: { of: "value", atMost: 300 },
    detail: { samples },
  });
}

/** Approves the report shown. @returns milliseconds from the key press to the next report, by the page's clock. */
async function approved(page: Page): Promise<number> {
  await page.keyboard.press("a");
  await page.getByRole("dialog").waitFor();
  const wait = await page.evaluateHandle(() => {
    const shown = () => document.querySelector("main h2")?.textContent || before;
    const before = document.querySelector("main h2")?.textContent;
    let pressedAt = Number.NaN;
    addEventListener("keydown", () => (pressedAt = performance.now()), {
      once: true,
      capture: true,
    });
    const ms = new Promise<number>((resolve) => {
      const watch = new MutationObserver(() => {
        if (shown() === before) return;
        watch.disconnect();
        resolve(performance.now() - pressedAt);
      });
      watch.observe(document.body, { subtree: true, childList: true, characterData: true });
    });
    return { ms };
  });
  await page.keyboard.press("Enter");
  return wait.evaluate(({ ms }) => ms);
}
