import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { adminTexts, type TextAfter } from "./support/admin-texts.ts";
import { findChromium, NO_BROWSER } from "./support/browser.ts";
import { faults } from "./support/page-checks.ts";
import { openSession } from "./support/sessions.ts";
import { type Site, startSite } from "./support/site.ts";
import { skipWhere } from "./support/skip-where.ts";

const executable = findChromium();
const ADMIN = { email: "boss@registry.example", password: "Correct-horse-9" };
/** For what is to be seen within two seconds, on a machine that is busy. */
const SOON = { timeout: 15_000 };
const POST = {
  kind: "blog",
  slug: "spring",
  title: "What changed in spring",
  description: "Search by phone number.",
  body: "Search by **phone**.\n\n| field | shown | fee |\n| - | - | -: |\n| e-mail | masked | $1,250.00 |\n\n    a line of code that is longer than a phone is wide, and then some more of it",
} as const;

let site: Site;
let texts: ReturnType<typeof adminTexts>;
let post: TextAfter;

beforeAll(async () => {
  if (!executable) return;
  site = await startSite({
    ADMIN_EMAIL: ADMIN.email,
    ADMIN_PASSWORD: ADMIN.password,
    SAMPLE_DATA: "none",
  });
  texts = adminTexts(site.url(""), (await openSession(site.url(""), ADMIN)).token);
});
afterAll(() => site?.close());

const get = (route: string) => fetch(site.url(route));
const html = async (route: string) => (await get(route)).text();
const footer = (page: Page) => page.getByRole("contentinfo");

describe("posts and pages on the site", () => {
  skipWhere(executable ? undefined : NO_BROWSER);

  it("are none at first, which the blog says", async () => {
    const page = await site.openTab();
    await site.show(page, "/blog");
    await page.getByText("There are no posts yet.").waitFor();
    expect(await faults(page)).toEqual([]);
    await page.close();
  });

  it("are read where they were published, with and without JavaScript", async () => {
    expect((await get("/blog/spring")).status).toBe(404);
    post = await texts.publish(POST);
    await expect.poll(async () => (await get("/blog/spring")).status, SOON).toBe(200);
    const page = await site.openTab();
    await site.show(page, "/");
    await footer(page).getByRole("link", { name: "Blog" }).click();
    await page.getByRole("link", { name: POST.title }).click();
    await page.getByRole("heading", { level: 1, name: POST.title }).waitFor();
    expect(await page.locator("article strong").innerText()).toBe("phone");
    const fee = page.getByRole("cell", { name: "$1,250.00" });
    expect(await fee.evaluate((cell) => getComputedStyle(cell).textAlign)).toBe("right");
    expect(await faults(page)).toEqual([]);
    const plain = await page.context().browser()?.newPage({ javaScriptEnabled: false });
    await plain?.goto(site.url("/blog"));
    await plain?.getByRole("link", { name: POST.title }).click();
    await plain?.getByText("Search by phone.").waitFor();
    await plain?.close();
    await page.close();
  });

  it("have a view counted, once a page load and from the browser alone", async () => {
    const views = async () => (await (await get("/prod/api/posts/spring")).json()).data.view_count;
    // The visit of the test before; who only fetched the page is not counted.
    await expect.poll(views, SOON).toBe(1);
    const page = await site.openTab();
    const sent: string[] = [];
    page.on("request", (request) => {
      if (request.method() === "POST") sent.push(new URL(request.url()).pathname);
    });
    await site.show(page, "/blog/spring");
    await page.getByText("1 view", { exact: true }).waitFor();
    await page.getByRole("link", { name: "All posts" }).click();
    await page.getByRole("link", { name: POST.title }).click();
    await page.getByText("Search by phone.").waitFor();
    expect(sent).toEqual([`/prod/api/content/${post.id}/view`]);
    await page.close();
  });

  it("stand in the footer and in the sitemap, a page under its title", async () => {
    await texts.publish({ ...POST, kind: "page", slug: "about-us", title: "About us" });
    await expect.poll(() => html("/faq"), SOON).toContain('href="/pages/about-us"');
    const page = await site.openTab();
    await site.show(page, "/faq");
    await footer(page).getByRole("link", { name: "About us" }).click();
    await page.getByRole("heading", { level: 1, name: "About us" }).waitFor();
    expect(await faults(page)).toEqual([]);
    await page.close();
    expect(await html("/sitemap.xml")).toContain("/sitemaps/content.xml");
    await expect
      .poll(() => html("/sitemaps/content.xml"), { timeout: 60_000, interval: 500 })
      .toContain(site.url("/pages/about-us"));
  });

  it("leave nothing at their address when they are taken back, and say so when they are deleted", async () => {
    const hidden = await texts.send("unpublish", { revision: post.revision }, post.id);
    await expect.poll(async () => (await get("/blog/spring")).status, SOON).toBe(404);
    await texts.send("delete", { revision: hidden.revision }, post.id);
    await expect.poll(async () => (await get("/blog/spring")).status, SOON).toBe(410);
    const page = await site.openTab();
    await site.show(page, "/blog/spring");
    await page.getByRole("heading", { level: 1, name: "This post was removed" }).waitFor();
    expect(await faults(page)).toEqual([]);
    expect(await page.locator("main").innerText()).not.toContain("phone");
    expect(site.complaints).toEqual([]);
  });
});
