import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { adminTexts } from "./support/admin-texts.ts";
import { violations } from "./support/page-checks.ts";
import { ADMIN, openSession, type StoredSession } from "./support/sessions.ts";
import { beforeAllInBrowser } from "./support/shared.ts";
import { type Site, sharedSite } from "./support/site.ts";

/** For what should appear within two seconds, with slack for a busy machine. */
const SOON = { timeout: 15_000 };

let site: Site;
let session: StoredSession;
/** Each test continues where the one before ended. */
let page: Page;

beforeAllInBrowser(async () => {
  site = await sharedSite();
  session = await openSession(site.origin, ADMIN);
  page = await site.openTabAs(session);
});

const read = async (route: string) => {
  const reply = await fetch(site.url(route));
  return { status: reply.status, html: await reply.text() };
};
const button = (name: string | RegExp) => page.getByRole("button", { name, exact: true });
const heading = (name: string) => page.getByRole("heading", { level: 1, name }).waitFor();
const body = () => page.getByLabel("Markdown");
const confirm = (name: string) =>
  page.getByRole("dialog").getByRole("button", { name, exact: true }).click();
const said = (text: string) => page.getByText(text, { exact: true }).first().waitFor();

describe("texts in the console", () => {
  it("are listed by type, with FAQ items in order, and found by part of their title", async () => {
    await page.goto(site.url("/admin/content"));
    await heading("Content Management");
    await page.getByRole("link", { name: "Privacy Policy" }).waitFor();
    const heads = () => page.getByRole("columnheader").allTextContents();
    const common = ["Status", "Author", "Last modified"];
    expect(await heads()).toEqual(["Title", "Type", ...common, "Views"]);
    await page.getByRole("tab", { name: "FAQ" }).click();
    const questions = page.getByRole("row").getByRole("link");
    await expect.poll(() => questions.count(), SOON).toBe(10);
    expect(await heads()).toEqual(["Question", "Order", ...common]);
    expect(await questions.first().innerText()).toBe("What is Chargeback Registry?");
    expect(page.url()).toContain("filter=");
    await page.getByLabel("Search", { exact: true }).fill("database");
    await expect.poll(() => questions.allInnerTexts(), SOON).toEqual(["Who can see the database?"]);
  });

  it("take an answer from the editor through its preview to the public page", async () => {
    await page.getByRole("link", { name: "Who can see the database?" }).click();
    await heading("Who can see the database?");
    await page.getByText("Unchanged from the default").waitFor();
    await body().fill("Reading is **free**. <b>So is reporting.</b>");
    const preview = page.getByRole("region", { name: "Preview" });
    await preview.locator("strong").getByText("free").waitFor();
    // The server shows HTML as text, here as on the site.
    await preview.getByText("<b>So is reporting.</b>").waitFor();
    expect((await read("/faq")).html).not.toContain("So is reporting");
    await button("Save and publish").click();
    await page.getByRole("dialog").getByText("within two seconds").waitFor();
    await confirm("Publish");
    await said("Published as shown");
    await expect
      .poll(async () => (await read("/faq")).html, SOON)
      .toContain("<strong>free</strong>. &lt;b&gt;So is reporting.&lt;/b&gt;");
    await page.getByText("published the draft").waitFor();
  });

  it("can be moved in the list of questions", async () => {
    await page.getByLabel("Order").fill("0");
    await button("Save and publish").click();
    await confirm("Publish");
    await said("Published as shown");
    await expect
      .poll(async () => /<summary[^>]*><h2>([^<]*)/.exec((await read("/faq")).html)?.[1], SOON)
      .toBe("Who can see the database?");
  });

  it("start as drafts, whose fields are validated in the browser and by the server", async () => {
    await page.goto(site.url("/admin/content/new?type=blog"));
    await heading("New blog post");
    await button("Save draft").click();
    await said("Enter a title");
    await page.getByLabel("Title").fill("Login");
    await button("Save draft").click();
    await said("This address is reserved for the site");
    await page.getByLabel("Title").fill("Spring news");
    await expect.poll(() => page.getByLabel("Address").inputValue()).toBe("spring-news");
    await body().fill("About {{nothing}}");
    await button("Save draft").click();
    await page.getByText("Unknown placeholder {{nothing}}").first().waitFor();
    await body().fill("First words");
    await button("Save draft").click();
    await heading("Spring news");
    await said("Draft");
    expect((await read("/blog/spring-news")).status).toBe(404);
  });

  it("are published, compared with earlier versions, restored, unpublished and deleted", async () => {
    await button("Publish").click();
    await confirm("Publish");
    await said("Please write one sentence for lists and search engines");
    await page.getByLabel("Description").fill("What is new");
    await button("Save and publish").click();
    await confirm("Publish");
    await said("Published as shown");
    await expect.poll(async () => (await read("/blog/spring-news")).status, SOON).toBe(200);
    await body().fill("Second words");
    await button("Save draft").click();
    await said("Published, with changes");
    expect((await read("/blog/spring-news")).html).toContain("First words");
    await button("Compare revision 0 with the draft").click();
    const compared = page.getByRole("list", { name: "Revision 0 and the draft, compared" });
    await compared.waitFor();
    expect(await compared.locator("del").allInnerTexts()).toContain("First words");
    expect(await compared.locator("ins").allInnerTexts()).toContain("Second words");
    await button("Restore revision 0").click();
    await expect.poll(() => body().inputValue(), SOON).toBe("First words");
    await page.getByText("restored revision 0 as the draft").waitFor();
    await button("Unpublish").click();
    await confirm("Unpublish");
    await said("Saved as a draft");
    await expect.poll(async () => (await read("/blog/spring-news")).status, SOON).toBe(404);
    await button("Delete").click();
    await confirm("Delete");
    await heading("Content Management");
    await expect.poll(async () => (await read("/blog/spring-news")).status, SOON).toBe(410);
    await page.goBack();
    await page.getByText("This text was deleted").waitFor();
  });

  it("are not overwritten by an editor who opened them before someone else's change", async () => {
    const texts = adminTexts(site.origin, session.token);
    const begun = await texts.publish({
      kind: "page",
      slug: "about-us-content",
      title: "About us",
      description: "Who we are",
      body: "First words",
    });
    await page.goto(site.url(`/admin/content/${begun.id}`));
    await heading("About us");
    await body().fill("My words");
    const theirs = { title: "About us", description: "Who we are", body: "Their words" };
    await texts.send("edit", { revision: begun.revision, ...theirs }, begun.id);
    await button("Save draft").click();
    await page.getByRole("region", { name: "Someone else saved first" }).waitFor();
    const compared = page.getByRole("list", { name: "Their version and yours" });
    expect(await compared.locator("del").allInnerTexts()).toEqual(["Their words"]);
    expect(await compared.locator("ins").allInnerTexts()).toEqual(["My words"]);
    expect(await body().inputValue()).toBe("My words");
    expect(await violations(page)).toEqual([]);
    await button("Keep mine").click();
    await button("Save draft").click();
    await said("Saved. The site shows the previously published version.");
    await page.reload();
    await expect.poll(() => body().inputValue(), SOON).toBe("My words");
    await page.getByText("saved a draft").nth(1).waitFor();
    expect(site.complaints).toEqual([]);
  });
});
