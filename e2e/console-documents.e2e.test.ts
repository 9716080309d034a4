import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { pdf } from "#services/command-api/testing/uploads.fixture.ts";
import { faults } from "./support/page-checks.ts";
import { chargeback } from "./support/reports.ts";
import { ADMIN, openSession } from "./support/sessions.ts";
import { beforeAllInBrowser } from "./support/shared.ts";
import { type Site, sharedSite } from "./support/site.ts";

/** Person on the report that has the documents. */
const NAME = "Quinn Dockery";

let site: Site;
/** Each test continues where the one before ended. */
let page: Page;

beforeAllInBrowser(async () => {
  site = await sharedSite();
  const admin = await openSession(site.origin, ADMIN);
  page = await site.openTabAs(admin);
  const owner = await openSession(site.origin);
  const evidence = [{ ...(await upload()), name: "invoice.pdf" }];
  const body = { ...chargeback, last_name: "Dockery", evidence };
  const { id } = await site.post("/reports/submit", body, owner.token);
  await site.post(`/admin/reports/${id}/approve`, {}, admin.token);
  const { terms_version } = (await (await fetch(site.url("/prod/api/site"))).json()).data;
  const letter = { ...(await upload()), name: "letter.pdf" };
  await site.post(`/account/reports/${id}/resolution`, { letter, terms_version }, owner.token);
});

async function upload(): Promise<{ id: string; secret: string }> {
  const { id: file, secret } = await site.post("/uploads", new Uint8Array(pdf));
  return { id: file, secret };
}

const rows = () =>
  page.getByRole("table", { name: "Documents" }).getByRole("row").filter({ hasText: NAME });
const filtered = (list: string, filter: object) =>
  site.url(`/admin/${list}?filter=${encodeURIComponent(JSON.stringify(filter))}`);
const dialog = () => page.getByRole("dialog");

describe("documents and payments in the console", () => {
  it("are listed across all reports, with the filter in the URL", async () => {
    await page.goto(site.url("/admin/documents"));
    await page.getByRole("heading", { level: 1, name: "Documents" }).waitFor();
    await rows().filter({ hasText: "Notarized letter, PDF" }).waitFor();
    expect(await rows().count()).toBe(2);
    await page.getByRole("combobox", { name: "Kind" }).click();
    await page.getByRole("option", { name: "Evidence" }).click();
    await page.waitForURL(/kind%22%3A%22evidence/);
    await expect.poll(() => rows().count()).toBe(1);
    await rows().filter({ hasText: "Evidence, PDF" }).waitFor();
    // Letters are never published.
    await page.getByRole("combobox", { name: "Kind" }).click();
    await page.getByRole("option", { name: "Notarized letter" }).click();
    await page.waitForURL(/kind%22%3A%22letter/);
    await page.getByRole("combobox", { name: "On the site" }).click();
    await page.getByRole("option", { name: "Published", exact: true }).click();
    await page.getByText("No documents match these filters").waitFor();
  });

  it("are opened, with a note that the log records it", async () => {
    await page.goto(filtered("documents", { kind: "letter" }));
    await page.getByRole("button", { name: `Open notarized letter of ${NAME}` }).click();
    await dialog()
      .getByText(/recorded in the log/)
      .waitFor();
    await dialog().getByRole("button", { name: "Download" }).waitFor();
    await dialog()
      .getByText(/^Notarized letter\.pdf, PDF, \d+ KB\./)
      .waitFor();
    expect(await faults(page)).toEqual([]);
  });

  it("are deleted with a reason, unless an open request needs them", async () => {
    await page.goto(site.url("/admin/documents"));
    await page.getByRole("button", { name: `Delete notarized letter of ${NAME}` }).click();
    await dialog().getByRole("button", { name: "Delete permanently" }).click();
    await dialog().getByText("Choose a reason").waitFor();
    await dialog().getByRole("combobox", { name: "Reason for the deletion" }).click();
    await page.getByRole("option", { name: "Illegible" }).click();
    await dialog().getByRole("button", { name: "Delete permanently" }).click();
    await dialog()
      .getByText(/belongs to an open request/)
      .waitFor();
    expect(await faults(page)).toEqual([]);
    await dialog().getByRole("button", { name: "Keep it" }).click();
    await page.getByRole("button", { name: `Delete evidence of ${NAME}` }).click();
    await dialog().getByRole("combobox", { name: "Reason for the deletion" }).click();
    await page.getByRole("option", { name: "Illegible" }).click();
    await dialog().getByRole("button", { name: "Delete permanently" }).click();
    // While a dialog is open, nothing behind it has a role.
    await dialog().waitFor({ state: "detached" });
    await expect.poll(() => rows().count()).toBe(1);
    await rows().filter({ hasText: "Notarized letter" }).waitFor();
  });

  it("show what is due, and link to the report where it is recorded", async () => {
    await page.goto(site.url("/admin/payments"));
    await page.getByRole("heading", { level: 1, name: "Payments" }).waitFor();
    const fees = page
      .getByRole("table", { name: "Payments" })
      .getByRole("row")
      .filter({ hasText: NAME });
    await fees.getByText("Due once the letter is accepted").waitFor();
    await fees.getByText("$250.00").waitFor();
    await page.getByRole("combobox", { name: "State" }).click();
    await page.getByRole("option", { name: "Refunded" }).click();
    await expect.poll(() => fees.count()).toBe(0);
    await page.goto(filtered("payments", { stage: "requested" }));
    await fees.getByRole("link", { name: NAME }).click();
    await page.getByRole("region", { name: "RESOLVED banner" }).waitFor();
    expect(site.complaints).toEqual([]);
  });
});
