import type { Browser, Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { REVEAL_MS } from "#contracts/http/admin-reports.ts";
import { openPage, SELDOM, storeSession } from "./support/browser.ts";
import { post } from "./support/calls.ts";
import { emptyQueue } from "./support/empty-queue.ts";
import { answersFrom } from "./support/held-answers.ts";
import { NARROW, overflows, violations } from "./support/page-checks.ts";
import { uploadedPhoto } from "./support/queue.ts";
import { badCheck } from "./support/reports.ts";
import { ADMIN, openSession, type StoredSession } from "./support/sessions.ts";
import { beforeAllInBrowser, sharedBrowser, sharedRegistry } from "./support/shared.ts";

let url: string;
let browser: Browser;
let ann: StoredSession;

beforeAllInBrowser(async () => {
  ({ url } = await sharedRegistry());
  ann = await openSession(url, ADMIN);
  browser = await sharedBrowser();
  await emptyQueue(url, ann.token);
});

/** Submits and confirms a report about a person of this name. @returns its id. */
async function waitingReport(last_name: string, fields: object): Promise<string> {
  const body = { ...badCheck, first_name: "Quinn", last_name, ...fields };
  const { id } = await post<{ id: string }>(url, "/reports/submit", body);
  await post(url, `/admin/reports/${id}/verify`, {}, ann.token);
  return id;
}

/** Waits until the queue's report of this name has the focus, and so takes keys. */
async function isShown(page: Page, name: string): Promise<void> {
  const heading = page.getByRole("heading", { level: 2, name });
  await heading.waitFor();
  const hasFocus = (text: string) => document.activeElement?.textContent?.endsWith(text);
  await page.waitForFunction(hasFocus, name, SELDOM);
}

/** Focuses a button or link and presses Enter, as after Tab. */
const press = async (page: Page, name: string | RegExp, role: "button" | "link" = "button") =>
  page.getByRole(role, { name, exact: true }).last().press("Enter");

async function expectNoFaults(page: Page): Promise<void> {
  expect(await violations(page)).toEqual([]);
  expect(await overflows(page)).toBe(false);
}

describe("evidence and possible matches in the moderation queue", () => {
  it("appear beside the report, which is decided by keyboard, even on a phone", async () => {
    const [last, bank_account] = ["Birch", "00800002"];
    await waitingReport(last, {
      bank_account,
      evidence: [await uploadedPhoto("check.jpg", "#ff0000")],
    });
    const match = await waitingReport(`${last}s`, { bank_account });
    const { page, complaints } = await openPage(browser);
    await page.setViewportSize(NARROW);
    await storeSession(page, url, ann);
    await page.goto(`${url}/admin/queue`);

    // Each key leaves a report and claims the next one; after the last one it starts over.
    await isShown(page, `Quinn ${last}`);
    await page.keyboard.press("j");
    await isShown(page, `Quinn ${last}s`);
    await page.keyboard.press("j");
    await page.getByText("You skipped 2 reports.").waitFor();
    await page.keyboard.press("Enter");
    await isShown(page, `Quinn ${last}`);
    await page.getByText(/^Reserved for you until/).waitFor();
    const files = page.getByRole("region", { name: "1 file" });
    await files.getByRole("button", { name: "Open JPEG picture" }).waitFor();
    const matches = page.getByRole("region", { name: "Possible matches" });
    await matches.getByText("Same bank account").waitFor();
    await matches.getByText(`Quinn ${last}s`).waitFor();
    // One of five identifiers matches; the first names are the same, and the last names a letter apart.
    const strength = matches.getByRole("progressbar", { name: /^Match strength of R-/ });
    expect(await strength.getAttribute("aria-valuenow")).toBe("27");
    await expectNoFaults(page);
    await page.keyboard.press("m");
    const compared = page.getByRole("dialog", { name: /^Compare with R-/ });
    await compared.getByRole("row", { name: /^Bank account number .* Same$/ }).waitFor();
    await compared.getByRole("row", { name: /^Name .* Differs$/ }).waitFor();
    const link = compared.getByRole("link", { name: "Open report" });
    expect(await link.getAttribute("href")).toBe(`/admin/reports/${match}`);
    await expectNoFaults(page);
    await page.keyboard.press("Escape");
    await compared.waitFor({ state: "detached" });

    await press(page, "Reveal all");
    await press(page, "Open check.jpg");
    await press(page, "Prepare to publish");
    await press(page, "Add box");
    await page.getByLabel("This is the check").press("Space");
    await expectNoFaults(page);
    await press(page, "Publish with 1 box");
    await page.getByText("Picture published").waitFor();
    await files.getByText(/^Check, published/).waitFor();
    await files.getByText("Not visible until the report is approved.").waitFor();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await expectNoFaults(page);

    await page.keyboard.press("a");
    await page.keyboard.press("Enter");
    await isShown(page, `Quinn ${last}s`);
    await matches.getByText(`Quinn ${last}`, { exact: true }).waitFor();

    // Holding down the key that compares rejects nothing.
    await page.keyboard.down("d");
    await compared.getByRole("row", { name: /^Bank account number/ }).waitFor();
    await page.keyboard.down("d");
    expect(await compared.getByRole("button", { name: /^Reject as duplicate/ }).count()).toBe(1);
    await page.keyboard.up("d");
    await page.keyboard.press("d");
    await page.getByText("The queue is empty").waitFor();
    await page.goto(`${url}/admin/reports/${match}/history`);
    await page.getByText(/rejected the report: duplicate of R-[0-9A-F-]+$/).waitFor();
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it("are revealed once by keyboard, and hidden after 15 minutes, but not while boxes are drawn", async () => {
    await waitingReport("Cedar", { evidence: [await uploadedPhoto("check.jpg", "#ff0000")] });
    const { page, complaints } = await openPage(browser);
    await page.clock.install();
    const hold = await answersFrom(page, "**/reveal");
    await storeSession(page, url, ann);
    await page.goto(`${url}/admin/queue`);
    await isShown(page, "Quinn Cedar");
    let reveals = 0;
    page.on("request", (request) => {
      if (request.url().endsWith("/reveal")) reveals += 1;
    });
    const goOn = hold();
    // Held down, pressed again, and with another key.
    for (const key of ["v", "v", "e"]) await page.keyboard.down(key);
    for (const key of ["v", "e"]) await page.keyboard.up(key);
    await page.keyboard.press("v");
    goOn();
    const picture = page.getByRole("img", { name: /^JPEG picture check\.jpg$/ });
    const height = async () => (await picture.boundingBox())?.height ?? 0;
    await picture.waitFor();
    const fitting = await height();
    for (const [enlarge, back] of [
      [() => page.keyboard.press("+"), "-"],
      [() => page.getByRole("button", { name: "Zoom in" }).click(), "0"],
    ] as const) {
      await enlarge();
      await expect.poll(height).toBeGreaterThan(fitting);
      await page.keyboard.press(back);
      await expect.poll(height).toBe(fitting);
    }
    // With Ctrl the wheel zooms the picture, not the page; without it, it scrolls.
    await picture.hover();
    await page.mouse.wheel(0, -100);
    expect(await height()).toBe(fitting);
    await page.keyboard.down("Control");
    await page.mouse.wheel(0, -100);
    await expect.poll(height).toBeGreaterThan(fitting);
    await page.mouse.wheel(0, 100);
    await expect.poll(height).toBe(fitting);
    await page.keyboard.up("Control");
    await press(page, "Prepare to publish");
    await press(page, "Add box");
    expect(reveals).toBe(1);
    await page.clock.fastForward(REVEAL_MS);
    await press(page, "Back");
    await page.getByText(/^Some data is hidden/).waitFor();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await page.keyboard.press("v");
    await page.getByText(/^Hidden data is visible/).waitFor();
    expect(await page.getByRole("dialog").count()).toBe(0);
    expect(reveals).toBe(2);
    expect(complaints).toEqual([]);
    await page.context().close();
    await emptyQueue(url, ann.token);
  });
});
