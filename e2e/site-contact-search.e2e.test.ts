import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { register, signIn } from "./support/account-forms.ts";
import { findChromium, NO_BROWSER } from "./support/browser.ts";
import { chargeback } from "./support/reports.ts";
import { type Site, startSite } from "./support/site.ts";
import { skipWhere } from "./support/skip-where.ts";

const executable = findChromium();
const PASSWORD = "Correct-horse-9";
const ADMIN = "admin@registry.example";
const PHONE = "(303) 555-0142";
const SEARCH = `/search?${new URLSearchParams({ q: PHONE })}`;

let site: Site;
beforeAll(async () => {
  if (!executable) return;
  site = await startSite(executable, { ADMIN_EMAIL: ADMIN, ADMIN_PASSWORD: PASSWORD });
});
afterAll(() => site?.close());

const tab = async () => site.openTab(await site.newContext());
const search = async (page: Page) => {
  await page.getByLabel("Name, title or location").fill(PHONE);
  await page.getByLabel("Name, title or location").press("Enter");
};

/** A report that a visitor sends and the admin publishes, about a person with that number. */
async function publish(page: Page): Promise<void> {
  const body = { ...chargeback, phone: PHONE };
  await page.evaluate(async (body) => {
    const authorization = `Bearer ${localStorage.getItem("token")}`;
    const json = { "content-type": "application/json" };
    const post = async (path: string, body: unknown, headers: Record<string, string> = json) => {
      const init = { method: "POST", headers, body: JSON.stringify(body) };
      const reply = await fetch(path, init);
      if (!reply.ok) throw new Error(`${path} answered ${await reply.text()}`);
      return reply.json();
    };
    const { data } = await post("/prod/api/reports/submit", body);
    await post(`/prod/api/admin/reports/${data.id}/approve`, {}, { ...json, authorization });
  }, body);
}

describe("a search by phone in a browser", () => {
  skipWhere(executable ? undefined : NO_BROWSER);

  it("asks a visitor to sign in, and says nothing of what there is", async () => {
    const page = await tab();
    await site.show(page, SEARCH);
    await page.getByText("Sign in to search by phone").waitFor();
    await search(page);
    await page.getByText("Sign in to search by phone").waitFor();
    expect(await page.getByText("No reports found").count()).toBe(0);
  });

  it("asks an account to confirm its address", async () => {
    const page = await tab();
    await site.show(page, "/register");
    await register(page, "rae@shop.example", PASSWORD);
    await page.waitForURL(site.url("/dashboard"));
    await site.show(page, SEARCH);
    await page.getByText("Confirm your email address to search by phone").waitFor();
    await page.getByRole("link", { name: "Confirm your email" }).waitFor();
  });

  it("finds the report for who is signed in with a confirmed address, typed or by its link", async () => {
    const page = await tab();
    await site.show(page, "/login");
    await signIn(page, ADMIN, PASSWORD);
    await page.getByRole("button", { name: "Account menu" }).waitFor();
    await publish(page);
    await site.show(page, "/search");
    await expect
      .poll(async () => {
        await search(page);
        return page.getByText("1 report found").count();
      })
      .toBe(1);
    // The server renders the page without the account, and the browser asks again.
    await page.reload();
    await page.getByText("1 report found").waitFor();
  });
});
