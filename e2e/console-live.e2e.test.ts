import type { Browser, Page } from "playwright-core";
import { beforeEach, describe, expect, it } from "vitest";
import { pdf } from "#services/command-api/testing/uploads.fixture.ts";
import { addAccount } from "./support/added-accounts.ts";
import { adminTexts } from "./support/admin-texts.ts";
import { openPage, PLAIN, storeSession, withoutChanges } from "./support/browser.ts";
import { post, send } from "./support/calls.ts";
import { onDatabase } from "./support/database.ts";
import { emptyQueue } from "./support/empty-queue.ts";
import { chargeback } from "./support/reports.ts";
import { ADMIN, openSession, type StoredSession } from "./support/sessions.ts";
import { beforeAllInBrowser, sharedBrowser, sharedRegistry } from "./support/shared.ts";

const BEN = { email: "ben-live@registry.example", password: ADMIN.password };

let registry: { readonly url: string; readonly dataDir: string };
let browser: Browser;
let ann: StoredSession;
let ben: StoredSession;
/** An undecided, confirmed report, and the name on it. */
let id: string;
let name: string;

beforeAllInBrowser(async () => {
  registry = await sharedRegistry();
  await addAccount(registry.url, registry.dataDir, { role: "admin", ...BEN, name: ["Ben", "Lee"] });
  ann = await openSession(registry.url, ADMIN);
  ben = await openSession(registry.url, BEN);
  browser = await sharedBrowser();
  await emptyQueue(registry.url, ben.token);
});

/** Sends a request as Ben. */
const change = (route: string, body: object) => post(registry.url, route, body, ben.token);
const read = <T>(route: string) => send<T>(registry.url, `GET ${route}`, {}, ben.token);

let submitted = 0;
async function submit(): Promise<{ id: string; name: string }> {
  const last_name = `Live${String.fromCharCode(97 + submitted)}`;
  submitted += 1;
  const body = { ...chargeback, last_name };
  const { id } = await post<{ id: string }>(registry.url, "/reports/submit", body);
  await change(`/admin/reports/${id}/verify`, {});
  return { id, name: `Quinn ${last_name}` };
}
beforeEach(async () => {
  ({ id, name } = await submit());
});

/** Opens a console page and waits until it follows changes. */
async function openAs(session: StoredSession, address: string) {
  const { page, complaints } = await openPage(browser);
  await storeSession(page, registry.url, session);
  const following = page.waitForResponse("**/prod/api/admin/changes");
  await page.goto(`${registry.url}/admin${address}`);
  expect((await following).status()).toBe(200);
  // Set on the current page, and gone once another one loads.
  await page.evaluate(() => Object.assign(window, { isSamePage: true }));
  return { page, complaints };
}

const isSamePage = (page: Page) => page.evaluate(() => "isSamePage" in window);
const row = (page: Page, of: string) => page.getByRole("row").filter({ hasText: of });
const status = (page: Page, is: string) => page.getByText(is, { exact: true }).first();

describe("two moderators at the same time", () => {
  it("see each other's decisions in the list, with selection and scroll unchanged", async () => {
    const other = await submit();
    const { page: anns, complaints } = await openAs(ann, "/reports");
    const { page: bens } = await openAs(ben, `/reports/${id}`);
    await anns.setViewportSize({ width: 1280, height: 420 });
    await row(anns, other.name).getByRole("checkbox").check();
    await anns.getByRole("region", { name: "Selected reports" }).waitFor();
    await row(anns, name).getByText("Pending").waitFor();
    await anns.evaluate(() => window.scrollTo(0, 150));
    const before = await anns.evaluate(() => window.scrollY);
    expect(before).toBeGreaterThan(0);

    await bens
      .getByRole("button", { name: /^Approve/ })
      .first()
      .click();
    await bens.getByRole("button", { name: "Approve report" }).click();
    await row(anns, name).getByText("Approved").waitFor();
    expect(await row(anns, other.name).getByRole("checkbox").isChecked()).toBe(true);
    expect(await anns.evaluate(() => window.scrollY)).toBe(before);
    expect(await isSamePage(anns)).toBe(true);

    // And the other way around.
    await change(`/admin/reports/${other.id}/reject`, { reason_code: "no_evidence" });
    await row(anns, other.name).getByText("Rejected").waitFor();
    expect(complaints).toEqual([]);
    await anns.context().close();
    await bens.context().close();
  });

  it("see who reserves a report in the queue, and when it is released", async () => {
    const { page, complaints } = await openAs(ann, `/reports/${id}`);
    await status(page, "Pending").waitFor();
    const notice = page.getByText(/^Ben Lee has this report until/);
    expect(await notice.count()).toBe(0);
    await change("/admin/queue/take", { reports: [id] });
    await notice.waitFor();
    await change("/admin/queue/leave", { report: id });
    await notice.waitFor({ state: "detached" });
    expect(await isSamePage(page)).toBe(true);
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it("see a reservation expire: one can take the report, and the other gets a notice", async () => {
    const bens = await (await browser.newContext(PLAIN)).newPage();
    await bens.clock.install();
    await storeSession(bens, registry.url, ben);
    await bens.goto(`${registry.url}/admin/queue`);
    const heading = bens.getByRole("heading", { level: 2, name: /Quinn Live/ });
    const taken = /Quinn Live.*$/.exec(await heading.innerText())?.[0] ?? "";
    await bens.getByText(/^Reserved for you until/).waitFor();
    const { reports } = await read<{ reports: string[] }>("/admin/queue");
    const records = await Promise.all(
      reports.map((each) => read<{ id: string; last_name: string }>(`/admin/reports/${each}`)),
    );
    const of = records.find(({ last_name }) => `Quinn ${last_name}` === taken)?.id ?? "";
    const { page: anns, complaints } = await openAs(ann, `/reports/${of}`);
    const notice = anns.getByText(/^Ben Lee has this report until/);
    await notice.waitFor();

    // About to expire; nothing is written when it does.
    const until = "now() + interval '5 seconds'";
    const aged = await onDatabase(registry.dataDir, (db) =>
      db.query(`update command.queue_lease set until = ${until} where report_id = $1`, [of]),
    );
    expect(aged.rowCount).toBe(1);
    await bens.clock.fastForward("10:00");
    await notice.waitFor({ state: "detached" });
    expect(await isSamePage(anns)).toBe(true);
    await bens.getByText("Your reservation expired.").waitFor();

    // The person who takes it now has it.
    await anns.getByRole("link", { name: "Queue" }).first().click();
    await anns.getByRole("heading", { level: 2, name: taken }).waitFor();
    await bens.getByRole("button", { name: "Reserve again" }).click();
    await bens.getByText(/ has this report until/).waitFor();
    expect(complaints).toEqual([]);
    await anns.context().close();
    await bens.context().close();
  });

  it("see that a report is released even without the stream of changes", async () => {
    await change("/admin/queue/take", { reports: [id] });
    const { page } = await openPage(browser);
    await page.clock.install();
    await withoutChanges(page);
    await storeSession(page, registry.url, ann);
    await page.goto(`${registry.url}/admin/reports/${id}`);
    const notice = page.getByText(/^Ben Lee has this report until/);
    await notice.waitFor();
    await change("/admin/queue/leave", { report: id });
    // Instead of waiting for the next poll.
    await page.clock.fastForward("00:30");
    await notice.waitFor({ state: "detached" });
    await page.context().close();
  });

  it("keep what they type, on a report's page and in a dialog of a row that changes", async () => {
    const { page } = await openAs(ann, `/reports/${id}`);
    const note = page.getByRole("textbox", { name: "Note for moderators" });
    await note.fill("Half a thought");
    await change(`/admin/reports/${id}/status`, { status: "under_review" });
    // Opening a new page takes longer than updating the open one would have.
    const { page: fresh } = await openAs(ann, `/reports/${id}`);
    await status(fresh, "Under review").waitFor();
    expect(await note.inputValue()).toBe("Half a thought");
    await status(page, "Under review").waitFor();
    expect(await note.inputValue()).toBe("Half a thought");
    expect(await isSamePage(page)).toBe(true);
    await fresh.context().close();
    await page.context().close();

    const other = await submit();
    const filter = encodeURIComponent('{"status":"pending"}');
    const { page: list } = await openAs(ann, `/reports?filter=${filter}`);
    await row(list, other.name)
      .getByRole("button", { name: /^Delete: / })
      .click();
    const dialog = list.getByRole("dialog");
    await dialog.waitFor();
    await change(`/admin/reports/${other.id}/approve`, {});
    const { page: later } = await openAs(ann, "/reports");
    await row(later, other.name).getByText("Approved").waitFor();
    expect(await dialog.isVisible()).toBe(true);
    await list.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    await row(list, other.name).waitFor({ state: "detached" });
    await list.context().close();
    await later.context().close();
  });

  it("see new reports in an empty queue, and the dashboard's latest changes", async () => {
    const waiting = async () => (await read<{ reports: string[] }>("/admin/queue")).reports;
    await expect.poll(waiting).toContain(id);
    await emptyQueue(registry.url, ben.token);
    const { page: queue } = await openAs(ann, "/queue");
    await queue.getByText("The queue is empty").waitFor();
    const { page: dashboard } = await openAs(ann, "/");
    const fresh = await submit();
    await queue.getByText("1 new report is in the queue.").waitFor();
    await dashboard.getByText(fresh.name).first().waitFor();
    await queue.getByRole("button", { name: "Start reviewing" }).click();
    await queue.getByRole("heading", { level: 2, name: fresh.name }).waitFor();
    await queue.context().close();
    await dashboard.context().close();
  });

  it("see changes to texts, settings, documents and requests for the banner", async () => {
    const kinds = encodeURIComponent('{"kind":"letter"}');
    const pages = ["/content", "/system", "/resolutions", `/documents?filter=${kinds}`];
    const [content, system, resolutions, documents] = await Promise.all(
      pages.map(async (address) => (await openAs(ann, address)).page),
    );
    const owner = await openSession(registry.url);
    const body = { ...chargeback, last_name: "Livelong" };
    const { id: own } = await post<{ id: string }>(
      registry.url,
      "/reports/submit",
      body,
      owner.token,
    );
    await change(`/admin/reports/${own}/approve`, {});
    const { terms_version } = await read<{ terms_version: string }>("/site");
    const { id: file, secret } = await post(registry.url, "/uploads", new Uint8Array(pdf));
    const letter = { id: file, secret, name: "letter.pdf" };
    const asked = `/account/reports/${own}/resolution`;
    await post(registry.url, asked, { letter, terms_version }, owner.token);
    await resolutions?.getByText("Quinn Livelong").waitFor();
    await documents?.getByText("Quinn Livelong").first().waitFor();

    const texts = adminTexts(registry.url, ben.token);
    const words = { title: "Seen live", description: "What is new", body: "More to read" };
    await texts.publish({ kind: "page", slug: "seen-live", ...words });
    await content
      ?.getByRole("row")
      .filter({ hasText: "Seen live" })
      .getByText("Published")
      .waitFor();

    const set = (maintenanceMode: boolean) =>
      send(registry.url, "PUT /system/settings", { maintenanceMode }, ben.token);
    const maintenance = system?.getByRole("switch", { name: "Maintenance Mode" });
    await set(true);
    await expect.poll(() => maintenance?.isChecked()).toBe(true);
    await set(false);
    await expect.poll(() => maintenance?.isChecked()).toBe(false);
    for (const page of [content, system, resolutions, documents]) {
      expect(page && (await isSamePage(page))).toBe(true);
      await page?.context().close();
    }
  });
});
