import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { register } from "./support/account-forms.ts";
import { adminTexts, type TextAfter } from "./support/admin-texts.ts";
import { findChromium, NO_BROWSER } from "./support/browser.ts";
import { faults } from "./support/page-checks.ts";
import { ADMIN, openSession } from "./support/sessions.ts";
import { type Site, startSite } from "./support/site.ts";
import { skipWhere } from "./support/skip-where.ts";

const executable = findChromium();
/** For what is to be seen within two seconds, on a machine that is busy. */
const SOON = { timeout: 15_000 };
const POST = {
  kind: "blog",
  slug: "spring",
  title: "What changed in spring",
  description: "Search by phone number.",
  body: "Search by **phone**.\n\n| field | shown | fee |\n| - | - | -: |\n| email | masked | $1,250.00 |\n\n    a line of code that is longer than a phone is wide, and then some more of it",
} as const;

let site: Site;
let texts: ReturnType<typeof adminTexts>;
let post: TextAfter;

beforeAll(async () => {
  if (!executable) return;
  site = await startSite({
    ADMIN_EMAIL: ADMIN.email,
    ADMIN_PASSWORD: ADMIN.password,
    RATE_LIMIT: "off",
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
    expect(await page.locator("main").innerText()).not.toContain("phone");
    expect(site.complaints).toEqual([]);
  });
});

const FIELDS = {
  title: "Paid, then taken back",
  description: "Signed for the parcel, then disputed the payment.",
  first_name: "Quinn",
  last_name: "Ames",
  city: "Denver",
  zip: "80202",
  state: "CO",
  last_4: "4242",
  amount: "412.50",
  transaction_date: "2026-05-02",
  reporter_first_name: "Rae",
  reporter_last_name: "Holt",
  reporter_email: "rae@shop.example",
} as const;
const CHANGED = /^Our terms have changed since/;

let published = 0;

async function termsInForce(): Promise<string> {
  const reply = await fetch(site.url("/prod/api/site"));
  return (await reply.json()).data.terms_version;
}

/** Publishes new terms and waits until the site has them. @returns their version. */
async function publishTerms(): Promise<string> {
  const before = await termsInForce();
  published += 1;
  await texts.republish("terms", { body: `## 1. Be fair\n\nRule ${published}.` });
  await expect.poll(termsInForce, { timeout: 15_000 }).not.toBe(before);
  return termsInForce();
}

async function fill(page: Page): Promise<void> {
  for (const [name, value] of Object.entries(FIELDS))
    await page.locator(`#field-${name}`).fill(value);
  await page.getByLabel(/agree to the/).check();
}
const submit = (page: Page) => page.getByRole("button", { name: "Submit Report" }).click();
const thanks = (page: Page) => page.getByRole("heading", { name: "Thank you" }).waitFor();

/** The versions that the page's submissions name, in turn. */
function named(page: Page): (string | undefined)[] {
  const versions: (string | undefined)[] = [];
  page.on("request", (request) => {
    if (request.method() === "POST" && /reports\/submit|auth\/register/.test(request.url()))
      versions.push(request.postDataJSON().terms_version);
  });
  return versions;
}

describe("terms that were published over the console", () => {
  skipWhere(executable ? undefined : NO_BROWSER);

  it("are agreed to by the first press of a form that was opened after that", async () => {
    const page = await site.openTab();
    const versions = named(page);
    // A page from before leads to the form.
    await site.show(page, "/");
    const version = await publishTerms();
    await page.getByRole("contentinfo").getByRole("link", { name: "Report Abuse" }).click();
    await fill(page);
    await submit(page);
    await thanks(page);
    expect(versions).toEqual([version]);
    await page.close();
  });

  it("are asked about by a form that was opened before, once, and nothing typed is lost", async () => {
    const page = await site.openTab();
    const versions = named(page);
    const before = await termsInForce();
    await site.show(page, "/report");
    await fill(page);
    await publishTerms();
    await submit(page);
    await page.getByText(CHANGED).first().waitFor();
    expect(await page.getByLabel(/agree to the/).isChecked()).toBe(false);
    expect(await page.locator("#field-last_4").inputValue()).toBe("4242");
    await page.getByLabel(/agree to the/).check();
    await submit(page);
    await thanks(page);
    expect(versions).toEqual([before, undefined]);
    await page.close();
  });

  it("are the same for a form without JavaScript", async () => {
    const browser = (await site.newContext()).browser();
    const plain = await browser?.newPage({ javaScriptEnabled: false });
    if (!plain) throw new Error("There is no browser");
    await plain.goto(site.url("/report"));
    await fill(plain);
    const version = await publishTerms();
    await submit(plain);
    await plain
      .getByText(/Our terms have changed since/)
      .filter({ visible: true })
      .first()
      .waitFor();
    expect(await plain.locator("[name=terms_version]").inputValue()).toBe(version);
    await plain.getByLabel(/agree to the/).check();
    await submit(plain);
    await thanks(plain);
    await plain.goto(site.url("/report"));
    await fill(plain);
    await submit(plain);
    await thanks(plain);
    await plain.close();
  });

  it("are asked about by a registration that was begun before, whose second press makes the account", async () => {
    const page = await site.openTab();
    const versions = named(page);
    const before = await termsInForce();
    await site.show(page, "/register");
    await publishTerms();
    await register(page, "rae@shop.example", ADMIN.password);
    await page.getByText(CHANGED).waitFor();
    await page.getByRole("button", { name: "Create Account" }).click();
    await page.waitForURL(site.url("/dashboard"));
    expect(versions).toEqual([before, undefined]);
    await page.close();
    const later = await site.openTab();
    const first = named(later);
    await site.show(later, "/register");
    await register(later, "ann@shop.example", ADMIN.password);
    await later.waitForURL(site.url("/dashboard"));
    expect(first).toEqual([await termsInForce()]);
    await later.close();
    expect(site.complaints).toEqual([]);
  });
});
