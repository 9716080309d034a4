import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { pdf } from "#services/command-api/testing/uploads.fixture.ts";
import { adminTexts } from "./support/admin-texts.ts";
import { findChromium, NO_BROWSER } from "./support/browser.ts";
import { addAccount } from "./support/registry.ts";
import { chargeback } from "./support/reports.ts";
import { ADMIN, openSession, type StoredSession } from "./support/sessions.ts";
import { type Site, startSite } from "./support/site.ts";
import { skipWhere } from "./support/skip-where.ts";

const executable = findChromium();
const BEN = { email: "ben@registry.example", password: ADMIN.password };

let site: Site;
let ann: StoredSession;
let ben: StoredSession;
let texts: ReturnType<typeof adminTexts>;
/** A visitor, who loads pages of the site again. */
let visitor: Page;

beforeAll(async () => {
  if (!executable) return;
  site = await startSite({
    SAMPLE_DATA: "none",
    ADMIN_EMAIL: ADMIN.email,
    ADMIN_PASSWORD: ADMIN.password,
    RATE_LIMIT: "off",
  });
  await addAccount(site.dataDir, { role: "admin", ...BEN, name: ["Ben", "Lee"] });
  ann = await openSession(site.origin, ADMIN);
  ben = await openSession(site.origin, BEN);
  texts = adminTexts(site.origin, ben.token);
  visitor = await site.openTab();
});
afterAll(() => site?.close());

/** Opens a page of the console as Ann, in a browser of her own, once it follows what changes. */
async function openConsole(address: string): Promise<Page> {
  const page = await site.openTabAs(ann);
  const following = page.waitForResponse("**/prod/api/admin/changes");
  await page.goto(site.url(`/admin${address}`));
  expect((await following).status()).toBe(200);
  // Set on the page that is open now, and gone with the next one that is loaded.
  await page.evaluate(() => Object.assign(window, { isSamePage: true }));
  return page;
}

async function close(page: Page): Promise<void> {
  expect(await page.evaluate(() => "isSamePage" in window)).toBe(true);
  await page.context().close();
}

/** Waits until the visitor finds so many of this on a page of the site. */
async function visitorSees(route: string, text: string | RegExp, count: number): Promise<void> {
  await expect
    .poll(async () => {
      await visitor.goto(site.url(route));
      return visitor.getByText(text, { exact: true }).count();
    })
    .toBe(count);
}

/** Reads as Ben. @returns the data of the answer. */
async function read(route: string) {
  const headers = { authorization: `Bearer ${ben.token}` };
  const reply = await fetch(site.url(`/prod/api${route}`), { headers });
  expect(reply.status).toBe(200);
  return (await reply.json()).data;
}

async function upload(): Promise<{ id: string; secret: string }> {
  const reply = await fetch(site.url("/prod/api/uploads"), {
    method: "POST",
    headers: { "content-type": "application/octet-stream" },
    body: new Uint8Array(pdf),
  });
  expect(reply.status).toBe(200);
  const { id, secret } = (await reply.json()).data;
  return { id, secret };
}

describe("what one moderator does is seen by another one without loading the page, and by visitors", () => {
  skipWhere(executable ? undefined : NO_BROWSER);

  it("a page that is published and taken back", async () => {
    const page = await openConsole("/content");
    const row = page.getByRole("row").filter({ hasText: "Spring news" });
    await page.getByRole("link", { name: "Privacy Policy" }).waitFor();
    expect(await row.count()).toBe(0);
    const words = { title: "Spring news", description: "What is new", body: "More to read" };
    const { id, revision } = await texts.publish({ kind: "page", slug: "spring-news", ...words });
    await row.getByText("Published").waitFor();
    await visitorSees("/pages/spring-news", "More to read", 1);
    await texts.send("unpublish", { revision }, id);
    await row.getByText("Draft").waitFor();
    await visitorSees("/pages/spring-news", "More to read", 0);
    await close(page);
  });

  it("a question of the FAQ", async () => {
    const page = await openConsole("/content");
    await page.getByRole("tab", { name: "FAQ" }).click();
    const question = page.getByRole("link", { name: "May I ask this?" });
    await page.getByRole("link", { name: "What does it cost?" }).waitFor();
    expect(await question.count()).toBe(0);
    const words = { title: "May I ask this?", description: "", body: "You may", order: 1 };
    await texts.publish({ kind: "faq", slug: "may-i-ask-this", ...words });
    await question.waitFor();
    await visitorSees("/faq", "May I ask this?", 1);
    await close(page);
  });

  it("maintenance, and its end", async () => {
    const page = await openConsole("/system");
    const maintenance = page.getByRole("switch", { name: "Maintenance Mode" });
    await maintenance.waitFor();
    const set = async (change: object) => {
      const reply = await fetch(site.url("/prod/api/system/settings"), {
        method: "PUT",
        headers: { authorization: `Bearer ${ben.token}`, "content-type": "application/json" },
        body: JSON.stringify(change),
      });
      expect(reply.status, await reply.text()).toBe(200);
    };
    await set({ maintenanceMode: true, maintenanceMessage: "Moving house" });
    await expect.poll(() => maintenance.isChecked()).toBe(true);
    await visitorSees("/", /Moving house$/, 1);
    await set({ maintenanceMode: false });
    await expect.poll(() => maintenance.isChecked()).toBe(false);
    await visitorSees("/", /Moving house$/, 0);
    await close(page);
  });

  it("the RESOLVED banner, from the request to the refund", async () => {
    const owner = await openSession(site.origin);
    const { id } = await site.post("/reports/submit", chargeback, owner.token);
    await site.post(`/admin/reports/${id}/approve`, {}, ben.token);
    await visitorSees("/search?q=ames", "RESOLVED", 0);
    const list = await openConsole("/resolutions");
    const record = await openConsole(`/reports/${id}`);
    await list.getByText("No open requests").waitFor();

    const { terms_version } = (await (await fetch(site.url("/prod/api/site"))).json()).data;
    const letter = { ...(await upload()), name: "letter.pdf" };
    const asked = await site.post(
      `/account/reports/${id}/resolution`,
      { letter, terms_version },
      owner.token,
    );
    const { request_id } = asked.resolution;
    await list.getByRole("tab", { name: "Letter to check (1)" }).waitFor();
    const staff = (command: string, body: object) =>
      site.post(`/admin/reports/${id}/resolution/${command}`, body, ben.token);
    await staff("accept", { request_id });
    await list.getByRole("tab", { name: "Fee due (1)" }).waitFor();
    const section = record.getByRole("region", { name: "RESOLVED banner" });
    await section.getByText("Waiting for the payment").waitFor();
    await staff("payment", { request_id, method: "check", reference: "Check 1042" });
    await section.getByText("Resolved", { exact: true }).waitFor();
    await list.getByRole("tab", { name: "Fee due (0)" }).waitFor();
    await visitorSees("/search?q=ames", "RESOLVED", 1);

    const { resolution } = await read(`/admin/reports/${id}`);
    const { payment_id } = resolution.payments[0];
    await staff("refund", { payment_id, reason_code: "mistaken", reason: "Not meant for us" });
    await section.getByText("Refunded", { exact: true }).first().waitFor();
    await visitorSees("/search?q=ames", "RESOLVED", 0);
    await close(list);
    await close(record);
  });

  it("a file that comes with a report, and is deleted", async () => {
    const page = await openConsole(
      `/documents?filter=${encodeURIComponent('{"kind":"evidence"}')}`,
    );
    await page.getByText("No documents match these filters").waitFor();
    const evidence = [{ ...(await upload()), name: "invoice.pdf" }];
    const { id } = await site.post("/reports/submit", { ...chargeback, evidence });
    const rows = page.getByRole("table", { name: "Documents" }).getByRole("row");
    // The first row has the names of the columns.
    await expect.poll(() => rows.count()).toBe(2);
    const { documents } = await read("/admin/documents?kind=evidence");
    const { file_id } = documents[0];
    const deletion = { reason_code: "illegible" };
    await site.post(`/admin/reports/${id}/evidence/${file_id}/delete`, deletion, ben.token);
    await page.getByText("No documents match these filters").waitFor();
    await close(page);
  });

  it("leaves no complaint of the browser", () => {
    expect(site.complaints).toEqual([]);
  });
});
