import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { fillReport, register } from "./support/account-forms.ts";
import { adminTexts } from "./support/admin-texts.ts";
import { ADMIN, openSession } from "./support/sessions.ts";
import { beforeAllInBrowser } from "./support/shared.ts";
import { type Site, sharedSite } from "./support/site.ts";

const FAQ_CALL = "**/prod/api/faq**";

let site: Site;
let texts: ReturnType<typeof adminTexts>;

beforeAllInBrowser(async () => {
  site = await sharedSite();
  texts = adminTexts(site.origin, (await openSession(site.origin, ADMIN)).token);
});

const questions = (page: Page) => page.locator("details summary").allInnerTexts();
const footer = (page: Page, name: string) =>
  page.getByRole("contentinfo").getByRole("link", { name, exact: true });

describe("the registry's own texts in a browser", () => {
  it("open at the answer named in the URL, even without JavaScript", async () => {
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
    await plain.close();
  });

  it("are searched while typing, and say when nothing matches", async () => {
    const page = await site.openTab();
    await site.show(page, "/faq");
    expect(await questions(page)).toHaveLength(10);
    await page.getByLabel("Search the questions").fill("notarized letter");
    expect(await questions(page)).toEqual([expect.stringContaining("What if a report is wrong")]);
    await page.getByText("If you submitted the report").waitFor();
    await page.getByLabel("Search the questions").fill("xyzzy");
    await page.getByText("No questions match.").waitFor();
  });

  it("show cached questions immediately and offline, then the server's", async () => {
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

  it("count a view once per page load, and only from the browser", async () => {
    const words = { title: "Spring", description: "What changed", body: "Search by phone" };
    const { id } = await texts.publish({ kind: "blog", slug: "spring-views", ...words });
    const page = await site.openTab();
    const sent: string[] = [];
    page.on("request", (request) => {
      if (request.method() === "POST") sent.push(new URL(request.url()).pathname);
    });
    await site.show(page, "/blog/spring-views");
    await page.getByRole("link", { name: "All posts" }).click();
    await page.getByRole("link", { name: "Spring", exact: true }).click();
    await page.getByText("Search by phone").waitFor();
    expect(sent).toEqual([`/prod/api/content/${id}/view`]);
  });

  it("are accepted as of when a form opens, and confirmed again if they have changed since", async () => {
    const inForce = async (): Promise<string> =>
      (await (await fetch(site.url("/prod/api/site"))).json()).data.terms_version;
    const publish = async (body: string) => {
      const before = await inForce();
      await texts.republish("terms", { body });
      await expect.poll(inForce).not.toBe(before);
      return inForce();
    };
    const page = await site.openTab();
    const named: (string | undefined)[] = [];
    page.on("request", (request) => {
      if (/reports\/submit|auth\/register/.test(request.url()))
        named.push(request.postDataJSON().terms_version);
    });
    // A page loaded earlier leads to the form.
    await site.show(page, "/");
    const first = await publish("## 1. Be fair");
    await footer(page, "Report Abuse").click();
    await fillReport(page);
    await page.getByRole("button", { name: "Submit Report" }).click();
    await page.getByRole("heading", { name: "Thank you" }).waitFor();
    await site.show(page, "/register");
    await publish("## 1. Be fairer");
    await register(page, "rae@content-pages.example", ADMIN.password);
    await page.getByText(/^Our terms have changed since/).waitFor();
    await page.getByRole("button", { name: "Create Account" }).click();
    await page.waitForURL(site.url("/dashboard"));
    expect(named).toEqual([first, first, undefined]);
    expect(site.complaints).toEqual([]);
  });
});
