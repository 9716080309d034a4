import type { Browser, Page } from "playwright-core";
import { expect } from "vitest";
import { PLAIN } from "./browser.ts";
import { openContext } from "./contexts.ts";
import { chargeback } from "./reports.ts";

/** Fields of a report that are chosen, not typed. */
const CHOSEN: ReadonlySet<string> = new Set(["report_type", "check_reason", "terms_accepted"]);

/** The typed fields of a report, with their values. */
export const typed = (report: object): [string, unknown][] =>
  Object.entries(report).filter(([name]) => !CHOSEN.has(name));

/** Fills in and submits the sign-in page, which the console redirects to as well. */
export async function signIn(page: Page, email: string, password: string): Promise<void> {
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Sign In" }).click();
}

/** Fills in and submits the registration page for Rae Holt. */
export async function register(page: Page, email: string, password: string): Promise<void> {
  await page.getByLabel("First name").fill("Rae");
  await page.getByLabel("Last name").fill("Holt");
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Company").fill("Alpine Watches");
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByLabel("Confirm password").fill(password);
  await page.getByRole("button", { name: "Create Account" }).click();
}

/**
 * Opens a link the way an email scanner does: in a separate browser that runs scripts and clicks nothing.
 * @returns method and path of every request that could change something.
 */
async function scanLink(browser: Browser, link: string): Promise<string[]> {
  const context = await openContext(browser, PLAIN);
  const page = await context.newPage();
  const changes: string[] = [];
  page.on("request", (request) => {
    const isRead = ["GET", "HEAD", "OPTIONS"].includes(request.method());
    if (!isRead) changes.push(`${request.method()} ${new URL(request.url()).pathname}`);
  });
  await page.goto(link, { waitUntil: "networkidle" });
  await context.close();
  return changes;
}

/** Kinds of link that a scanner has already opened. */
const scanned = new Set<string>();

/**
 * Returns the link in the newest email with this subject in the outbox. For the first link of each kind, also
 * checks that an email scanner changes nothing by opening it.
 * @param outbox URL of the outbox page
 * @param target part of the link's URL
 * @param to the recipient; any when absent
 * @param least how many such emails must be there
 */
export async function linkOfMail(
  page: Page,
  outbox: string,
  subject: RegExp,
  target: string,
  to = "",
  least = 1,
): Promise<string> {
  const rows = page.locator("tr").filter({ hasText: to });
  const mails = rows.getByRole("link", { name: subject });
  await expect
    .poll(async () => {
      await page.goto(outbox);
      return mails.count();
    })
    .toBeGreaterThanOrEqual(least);
  await mails.first().click();
  const link = (await page.locator(`a[href*="${target}"]`).first().getAttribute("href")) ?? "";
  const browser = page.context().browser();
  if (browser && !scanned.has(target)) expect(await scanLink(browser, link), link).toEqual([]);
  scanned.add(target);
  return link;
}

/** Fills in the report form and accepts the terms. */
export async function fillReport(page: Page, report: object = chargeback): Promise<void> {
  for (const [name, value] of typed(report))
    await page.locator(`#field-${name}`).fill(String(value));
  await page.getByLabel(/agree to the/).check();
}
