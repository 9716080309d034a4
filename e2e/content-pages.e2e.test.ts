import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { findChromium, NO_BROWSER } from "./support/browser.ts";
import { type Site, sharedSite } from "./support/site.ts";
import { skipWhere } from "./support/skip-where.ts";

const executable = findChromium();
const FAQ_CALL = "**/prod/api/faq**";

let site: Site;

beforeAll(async () => {
  if (executable) site = await sharedSite();
});

const questions = (page: Page) => page.locator("details summary").allInnerTexts();
const footer = (page: Page, name: string) =>
  page.getByRole("contentinfo").getByRole("link", { name, exact: true });

describe("the registry's own texts in a browser", () => {
  skipWhere(executable ? undefined : NO_BROWSER);

  it("open at the answer that an address names, also without JavaScript", async () => {
    const context = await site.newContext();
    const page = await site.openTab(context);
    await site.show(page, "/faq#cost");
    await page.getByText("It's free to search").waitFor();
    expect(await page.locator("details[open]").count()).toBe(1);
    const browser = context.browser();
    const plain = await browser?.newPage({ javaScriptEnabled: false });
    if (!plain) throw new Error("There is no browser");
    await plain.goto(site.url("/faq#cost"));
    expect(await plain.locator("details[open]").count()).toBe(1);
    await plain.locator("#faq-q").fill("notarized");
    await plain.getByRole("button", { name: "Search", exact: true }).click();
    await plain.waitForURL("**/faq?q=notarized");
    expect(await questions(plain)).toHaveLength(1);
    await plain.close();
  });

  it("are searched while one types, and nothing found says whom to ask", async () => {
    const page = await site.openTab();
    await site.show(page, "/faq");
    expect(await questions(page)).toHaveLength(10);
    await page.getByLabel("Search the questions").fill("notarized letter");
    expect(await questions(page)).toEqual([expect.stringContaining("What if a report is wrong")]);
    await page.getByText("If you submitted the report").waitFor();
    await page.getByLabel("Search the questions").fill("xyzzy");
    await page.getByText("No questions match.").waitFor();
  });

  it("show the questions that the browser kept at once and offline, and then the server's", async () => {
    const page = await site.openTab();
    await site.show(page, "/terms");
    await footer(page, "FAQ").click();
    await page.locator("details").first().waitFor();
    await expect
      .poll(() => page.evaluate(() => localStorage.getItem("registry_faq_items")))
      .toContain("law-enforcement");
    await page.evaluate(() => {
      const kept = JSON.parse(localStorage.getItem("registry_faq_items") ?? "[]").slice(0, 1);
      localStorage.setItem(
        "registry_faq_items",
        JSON.stringify(kept.map((item: object) => ({ ...item, question: "Kept question" }))),
      );
    });
    await footer(page, "Terms of Service").click();
    await page.getByRole("heading", { level: 1, name: "Terms of Service" }).waitFor();

    await page.route(FAQ_CALL, (route) => route.abort("internetdisconnected"));
    await footer(page, "FAQ").click();
    await page.getByText("These are the answers from your last visit.").waitFor();
    expect(await questions(page)).toEqual([expect.stringContaining("Kept question")]);

    await page.unroute(FAQ_CALL);
    await footer(page, "Terms of Service").click();
    await page.getByRole("heading", { level: 1, name: "Terms of Service" }).waitFor();
    await footer(page, "FAQ").click();
    await expect.poll(() => questions(page)).toHaveLength(10);
  });
});
