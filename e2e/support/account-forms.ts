import type { Browser, Page } from "playwright-core";
import { expect } from "vitest";
import { PLAIN } from "./browser.ts";
import { openContext } from "./contexts.ts";
import { chargeback } from "./reports.ts";

/** Fields of a report that are chosen, not typed. */
const CHOSEN: ReadonlySet<string> = new Set(["report_type", "check_reason", "terms_accepted"]);

/** What is typed into the report form, by the names of its fields. */
export const typed = (report: object): [string, unknown][] =>
  Object.entries(report).filter(([name]) => !CHOSEN.has(name));

/** Fills in the sign-in page, to which the console leads as well, and sends it. */
export async function signIn(page: Page, email: string, password: string): Promise<void> {
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Sign In" }).click();
}

/** Fills in the registration page for Rae Holt, and sends it. */
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
 * Opens a link as an email scanner does: in a browser of its own that runs scripts and presses nothing.
 * @returns what the page sent that could change anything, as method and path.
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

/** The kinds of links that a scanner has opened. */
const scanned = new Set<string>();

/**
 * Address of the link in the newest email that the outbox shows under a subject. An email scanner has opened the
 * first one of its kind.
 * @param outbox address of the outbox's page
 * @param target part of the link's address
 * @param to the recipient; any when absent
 * @param least how many such emails have to be there
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

/** Fills in the report form, and agrees to the terms. */
export async function fillReport(page: Page, report: object = chargeback): Promise<void> {
  for (const [name, value] of typed(report))
    await page.locator(`#field-${name}`).fill(String(value));
  await page.getByLabel(/agree to the/).check();
}
