import type { Page } from "playwright-core";
import { expect } from "vitest";

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
 * Address of the link in the newest mail that the outbox shows under a subject.
 * @param outbox address of the outbox's page
 * @param target part of the link's address
 * @param to the recipient; any when absent
 * @param least how many such mails have to be there
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
  const link = page.locator(`a[href*="${target}"]`).first();
  return (await link.getAttribute("href")) ?? "";
}
