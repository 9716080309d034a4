import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { dataPaths } from "#launcher/data-folder.ts";
import { listMails } from "#launcher/outbox/outbox.routes.ts";
import { ADMIN, openSession } from "./support/sessions.ts";
import { beforeAllInBrowser } from "./support/shared.ts";
import { type Site, sharedSite } from "./support/site.ts";

const SOON = { timeout: 30_000 };

let site: Site;
/** Each test continues where the one before ended. */
let page: Page;

beforeAllInBrowser(async () => {
  site = await sharedSite();
  page = await site.openTabAs(await openSession(site.origin, ADMIN));
});

const button = (name: string | RegExp) => page.getByRole("button", { name, exact: true });
const heading = (name: string) => page.getByRole("heading", { level: 1, name }).waitFor();
const field = (name: string) => page.locator(`#text-${name}`);
const confirm = (name: string) =>
  page.getByRole("dialog").getByRole("button", { name, exact: true }).click();
const said = (text: string) => page.getByText(text, { exact: true }).first().waitFor();
const preview = () => page.getByRole("region", { name: "Preview with sample data" });
const frame = () => page.frameLocator('iframe[title="The email as HTML"]');
const mails = () => listMails(dataPaths(site.dataDir).mail);
/** Registers an account. @returns the email that confirms its address. */
async function confirmation() {
  const { email } = JSON.parse((await openSession(site.origin)).user) as { email: string };
  const mail = async () => (await mails()).find(({ to }) => to === email);
  await expect.poll(mail, SOON).toBeDefined();
  return mail();
}
const SHIPPED = "Confirm your email address for Chargeback Registry";

describe("email templates in the console", () => {
  it("are listed by kind and found by text and status, even after a failure", async () => {
    await page.route("**/prod/api/admin/templates", (route) => route.abort());
    await page.goto(site.url("/admin/templates"));
    await heading("Email Templates");
    await page.getByText("Network error: Connection failed").waitFor();
    await page.unroute("**/prod/api/admin/templates");
    await button("Try again").click();
    await page.getByRole("link", { name: "Confirm an account" }).waitFor();
    const heads = ["Name", "Type", "Subject", "Status", "Last modified", "Usage"];
    expect(await page.getByRole("columnheader").allTextContents()).toEqual(heads);
    await page.getByLabel("Search", { exact: true }).fill("confirm an account");
    const rows = page.getByRole("row").getByRole("link");
    await expect.poll(() => rows.count(), SOON).toBe(1);
    expect(decodeURIComponent(page.url())).toContain('{"q":"confirm an account"}');
    await page.getByRole("combobox", { name: "Status" }).click();
    await page.getByRole("option", { name: "Default, with drafts" }).click();
    await said("No emails match these filters");
    await button("Clear filters").click();
    await expect.poll(() => rows.count(), SOON).toBeGreaterThan(30);
  });

  it("show the default template, which can't be changed", async () => {
    await page.getByRole("link", { name: "Confirm an account" }).click();
    await heading("Confirm an account");
    await frame().getByText("Someone created an account at").waitFor();
    expect(await button("Save").count()).toBe(0);
    await page
      .getByRole("banner")
      .getByRole("link", { name: "Email Templates", exact: true })
      .click();
    await heading("Email Templates");
  });

  it("are added as drafts for a kind of email", async () => {
    await button("Create template").click();
    await confirm("Create");
    await said("Enter a name");
    await page.getByRole("combobox", { name: "Email" }).click();
    await page.getByRole("option", { name: "Confirm an account (Email)" }).click();
    await page.getByLabel("Name").fill("Friendlier");
    await confirm("Create");
    await heading("Friendlier");
    await said("Draft");
    expect(await field("body").inputValue()).toContain("Someone created an account");
  });

  it("are previewed as they would be sent while they are written", async () => {
    await field("subject").fill("Welcome to {{ product_name }}");
    await field("body").fill("Zebra **words** <b>here</b>");
    await preview().getByText("Welcome to Chargeback Registry").waitFor();
    await frame().locator("strong").getByText("words").waitFor();
    // HTML is shown as text, and the email looks as sent: the console's policy removes none of its style.
    await frame().getByText("<b>here</b>").waitFor();
    const link = frame().getByText("Confirm my email address");
    expect(await link.evaluate((element) => getComputedStyle(element).backgroundColor)).toBe(
      "rgb(18, 53, 91)",
    );
    await page.getByRole("tab", { name: "Plain text" }).click();
    await preview().getByText("Zebra **words** <b>here</b>").waitFor();
    await page.getByText("{{ product_name }}", { exact: true }).waitFor();
    expect(await page.getByText("{{ first_name }}", { exact: true }).count()).toBe(0);
  });

  it("show at the field which variables a kind of email does not have", async () => {
    await field("body").fill("Hello {{ first_name }}");
    await preview().getByRole("alert").getByText("first_name").waitFor();
    await button("Save").click();
    await page.locator("#text-body-helper-text").getByText("first_name").waitFor();
    await field("body").fill("Zebra **words** <b>here</b>");
    await button("Save").click();
    await said("Saved, not in use");
  });

  it("can be sent to oneself as a test email", async () => {
    await button("Send test email").click();
    await page.getByText("sent themselves a test email").waitFor();
    const subjects = async () => (await mails()).map(({ subject }) => subject);
    await expect.poll(subjects, SOON).toContain("Test: Welcome to Chargeback Registry");
  });

  it("are used for emails once active", async () => {
    await button("Activate").click();
    await page
      .getByRole("dialog")
      .getByText("“Confirm an account” emails use this template")
      .waitFor();
    await confirm("Activate");
    await said("In use: emails are sent as shown");
    expect(await button("Delete").count()).toBe(0);
    const mail = await confirmation();
    expect(mail?.subject).toBe("Welcome to Chargeback Registry");
    expect(mail?.text).toContain("Zebra **words** <b>here</b>");
  });

  it("are compared with earlier versions and restored, after the password is entered again", async () => {
    await field("body").fill("Second words");
    await page.getByText("saving changes the next emails").waitFor();
    await button("Save").click();
    await said("In use: emails are sent as shown");
    await button("Compare revision 1 with the current version").click();
    const compared = page.getByRole("list", {
      name: "Revision 1 and the current version, compared",
    });
    await compared.waitFor();
    expect(await compared.locator("del").allInnerTexts()).toEqual(["Zebra **words** <b>here</b>"]);
    expect(await compared.locator("ins").allInnerTexts()).toEqual(["Second words"]);
    // The server's answer 15 minutes after the sign-in, until the password is entered again.
    let isProved = false;
    await page.route("**/restore", (route) => {
      if (isProved) return route.continue();
      const error = { code: "proof_required", message: "Please enter your password again" };
      return route.fulfill({ status: 403, json: { success: false, error } });
    });
    page.on("response", (response) => {
      if (response.url().includes("/auth/prove") && response.ok()) isProved = true;
    });
    const dialog = page.getByRole("dialog", { name: "Enter your password again" });
    await button("Restore revision 1").click();
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await dialog.waitFor({ state: "detached" });
    expect(await field("body").inputValue()).toBe("Second words");
    await button("Restore revision 1").click();
    await dialog.getByLabel("Password").fill(ADMIN.password);
    await dialog.getByRole("button", { name: "Continue" }).click();
    await expect.poll(() => field("body").inputValue(), SOON).toBe("Zebra **words** <b>here</b>");
    await page.getByText("restored revision 1").waitFor();
    await page.unroute("**/restore");
  });

  it("are duplicated, deactivated and deleted, and emails use the default again", async () => {
    await button("Deactivate").click();
    await page.getByRole("dialog").getByText("use the default template again").waitFor();
    await confirm("Deactivate");
    await said("Inactive");
    expect((await confirmation())?.subject).toBe(SHIPPED);
    const original = page.url();
    await button("Duplicate").click();
    await confirm("Duplicate");
    await heading("Copy of Friendlier");
    await expect.poll(() => field("body").inputValue()).toBe("Zebra **words** <b>here</b>");
    await button("Delete").click();
    await page.getByRole("dialog").getByText("can't be restored").waitFor();
    await confirm("Delete");
    await heading("Email Templates");
    await page.goBack();
    await page.getByText("Template not found").waitFor();
    await page.goto(original);
    await heading("Friendlier");
    await button("Delete").click();
    await confirm("Delete");
    await heading("Email Templates");
    expect(site.complaints).toEqual([]);
  });
});
