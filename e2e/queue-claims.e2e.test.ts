import type { Browser, Route } from "playwright-core";
import { describe, expect, it } from "vitest";
import { LEASE_MS, type Queue } from "#contracts/http/queue.ts";
import { reportNumber } from "#contracts/report/masks.ts";
import { openPage, storeSession } from "./support/browser.ts";
import { post, send } from "./support/calls.ts";
import { onDatabase } from "./support/database.ts";
import { emptyQueue } from "./support/empty-queue.ts";
import {
  approveByMouse,
  empty,
  fill,
  nextName,
  openAs,
  openHolding,
  pressAll,
  record,
  startQueue,
} from "./support/queue.ts";
import type { StoredSession } from "./support/sessions.ts";
import { beforeAllInBrowser } from "./support/shared.ts";

let url: string;
let dataDir: string;
let browser: Browser;
let ann: StoredSession;
let ben: StoredSession;

beforeAllInBrowser(async () => {
  ({ url, dataDir, browser, ann, ben } = await startQueue());
  await emptyQueue(url, ann.token);
});

/** Returns what Ann has reserved, as Ben reads it. */
async function takenByAnn(): Promise<readonly string[]> {
  const { taken } = await send<Queue>(url, "GET /admin/queue", {}, ben.token);
  return taken.map(({ report_id }) => report_id);
}

describe("reservations in the queue", () => {
  it("never show a report to two moderators who work at the same time", async () => {
    const ids = await fill(6);
    const screens = [await openAs(ann), await openAs(ben)];
    // Both have a report before either decides.
    const firsts = await Promise.all(screens.map(({ page }) => nextName(page)));
    expect(new Set(firsts).size).toBe(2);
    const names = await Promise.all(
      screens.map(async ({ page }, screen) => {
        const seen: string[] = [];
        for (let name = firsts[screen]; name !== undefined; ) {
          seen.push(name);
          await page.keyboard.press("a");
          await page.keyboard.press("Enter");
          name = await nextName(page, name);
        }
        return seen;
      }),
    );
    // Each report was shown once, and both moderators had some.
    expect(names.flat().toSorted()).toEqual([...ids.keys()].toSorted());
    expect(names.map((seen) => seen.length > 0)).toEqual([true, true]);
    expect(screens.flatMap(({ complaints }) => complaints)).toEqual([]);
    for (const { page } of screens) await page.context().close();
  });

  it("ask before a decision about another moderator's report, and pass over skipped ones", async () => {
    const ids = await fill(2);
    const [first = "", second = ""] = ids.keys();
    const { page: bens } = await openAs(ben);
    expect(await nextName(bens)).toBe(first);
    const id = ids.get(first) ?? "";
    // What is typed outlives Esc and a switch to another report.
    await bens.keyboard.press("n");
    const note = bens.getByRole("textbox", { name: "Note for moderators" });
    await note.fill("The same parcel as in May.");
    await note.press("Escape");
    await bens.keyboard.press("j");
    expect(await nextName(bens, first)).toBe(second);
    await bens.keyboard.press("k");
    expect(await nextName(bens, second)).toBe(first);
    await bens.keyboard.press("n");
    await expect.poll(() => note.inputValue()).toBe("The same parcel as in May.");
    await note.press("Control+Enter");
    await bens.getByText("The same parcel as in May.").waitFor();
    const { page: anns } = await openAs(ann, `/admin/reports/${id}`);
    await anns.getByText(/^Ben Lee has this report until \d+:\d\d [AP]M \S+\.$/).waitFor();
    const notes = anns.getByRole("region", { name: "Moderator notes" });
    await notes.getByText("The same parcel as in May.").waitFor();
    await notes.getByText(/^Ben Lee, /).waitFor();
    await approveByMouse(anns);
    const dialog = anns.getByRole("dialog", { name: "Decide anyway?" });
    await dialog.waitFor();
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await dialog.waitFor({ state: "detached" });
    expect((await record(id)).status).toBe("pending");

    await note.press("Escape");
    await bens.keyboard.press("?");
    const keys = bens.getByRole("dialog", { name: "Keyboard shortcuts" });
    await keys.getByText("Put under review").waitFor();
    await keys.getByRole("button", { name: "Close" }).press("Enter");
    await keys.waitFor({ state: "detached" });
    await bens.keyboard.press("j");
    expect(await nextName(bens, first)).toBe(second);
    await bens.keyboard.press("j");
    await bens.getByText("You skipped 2 reports.").waitFor();
    await approveByMouse(anns);
    await anns.getByText("Report approved").waitFor();
    // Changing a decision asks first, and can be undone.
    await anns.getByRole("button", { name: "Change decision…" }).click();
    await anns.getByRole("menuitem", { name: "Reject…" }).click();
    await anns.waitForFunction(() => document.activeElement?.getAttribute("type") === "radio");
    await anns.keyboard.press("1");
    const notice = anns.getByRole("status").filter({ hasText: "Report rejected" });
    await notice.getByRole("button", { name: /^Undo$/ }).waitFor();
    await anns.keyboard.press("z");
    await anns.getByText("Decision undone").waitFor();
    expect((await record(id)).status).toBe("approved");
    await bens.keyboard.press("Enter");
    expect(await nextName(bens)).toBe(second);
    // In a bulk action, the keys decide only reports that no one else has.
    await anns.goto(`${url}/admin/reports`);
    for (const name of [first, second])
      await anns.getByRole("checkbox", { name: `Select ${name}`, exact: true }).check();
    await anns.getByRole("button", { name: "Put under review…" }).click();
    await anns.getByRole("button", { name: "Put 2 reports under review" }).press("Enter");
    const others = anns.getByRole("button", { name: "Put the other 1 under review" });
    await others.waitFor();
    await anns.getByRole("button", { name: "Cancel" }).press("Control+Enter");
    await anns.getByText("1 report changed.").waitFor();
    expect((await record(id)).status).toBe("under_review");
    expect((await record(ids.get(second) ?? "")).status).toBe("pending");
    await bens.keyboard.press("a");
    await bens.keyboard.press("Enter");
    await empty(bens).waitFor();
    await anns.context().close();
    await bens.context().close();
  });

  it("go back past a report that someone else took, and hold only the one on the screen", async () => {
    const ids = await fill(3);
    const [[first = ""] = [], [second = "", id = ""] = [], [third = "", last = ""] = []] = [...ids];
    const { page, complaints, hold } = await openHolding(ann, "**/queue/take");
    let name = await nextName(page);
    for (const next of [second, third]) {
      await page.keyboard.press("j");
      name = await nextName(page, name);
      expect(name).toBe(next);
    }
    await post(url, "/admin/queue/take", { reports: [id] }, ben.token);
    await page.keyboard.press("k");
    expect(await nextName(page, third)).toBe(first);
    await post(url, "/admin/queue/leave", { report: id }, ben.token);

    // The first answer arrives after the second one.
    const goOn = hold();
    const strip = page.getByRole("navigation", { name: "Waiting reports" });
    for (const each of [id, last])
      await strip.getByRole("button", { name: reportNumber(each) }).click();
    expect(await nextName(page, first)).toBe(third);
    goOn();
    await expect.poll(takenByAnn).toEqual([last]);
    expect(complaints).toEqual([]);
    await page.context().close();
    await emptyQueue(url, ann.token);
  });

  it("release what was reserved ahead if a decision fails, and say why a report can't be kept", async () => {
    const [[first = "", id = ""] = []] = [...(await fill(2))];
    const { page } = await openPage(browser);
    await page.clock.install();
    await storeSession(page, url, ann);
    await page.goto(`${url}/admin/queue`);
    expect(await nextName(page)).toBe(first);
    await page.route("**/approve", (route) => route.fulfill({ status: 500 }));
    const taking = page.waitForResponse("**/queue/take");
    await page.keyboard.press("a");
    await page.getByRole("dialog").getByRole("button", { name: "Approve report" }).press("Enter");
    await taking;
    await page.getByRole("dialog").getByText("Failed to approve report").waitFor();
    await expect.poll(takenByAnn).toEqual([id]);
    await page.getByRole("button", { name: "Cancel" }).press("Enter");
    await page.getByRole("dialog").waitFor({ state: "detached" });

    await page.clock.fastForward(LEASE_MS + 1000);
    await onDatabase(dataDir, (db) =>
      db.query("update command.queue_lease set until = until - interval '10 minutes'"),
    );
    await post(url, "/admin/queue/take", { reports: [id] }, ben.token);
    const keep = page.getByRole("button", { name: "Reserve again" });
    await keep.click();
    await page.getByText(/^Ben Lee has this report until/).waitFor();
    await post(url, `/admin/reports/${id}/approve`, {}, ben.token);
    await keep.click();
    await page.getByText("This report is no longer waiting for a decision.").waitFor();
    await page.context().close();
    await emptyQueue(url, ann.token);
  });

  it("keep a report that is reserved again while its release is in flight, and show it without the queue", async () => {
    const [[first = ""] = [], [second = "", id = ""] = [], [third = "", last = ""] = []] = [
      ...(await fill(3)),
    ];
    const { page } = await openAs(ann);
    expect(await nextName(page)).toBe(first);
    // The first decision fails; what it reserved is released while the second one is sent.
    await page.route("**/approve", (route) => route.fulfill({ status: 500 }), { times: 1 });
    const { promise: left, resolve: leave } = Promise.withResolvers<void>();
    const wait = async (route: Route) => {
      await left;
      await route.continue();
    };
    await page.route("**/queue/leave", wait, { times: 1 });
    const leaving = page.waitForRequest("**/queue/leave");
    await pressAll(page, "a", "Enter");
    await page.getByRole("dialog").getByText("Failed to approve report").waitFor();
    await leaving;
    await page.getByRole("button", { name: "Approve report" }).press("Enter");
    await page.getByText("Report approved").waitFor();
    const done = page.waitForResponse("**/queue/leave");
    leave();
    await done;
    expect(await nextName(page, first)).toBe(second);
    await expect.poll(takenByAnn).toEqual([id]);

    const strip = page.getByRole("navigation", { name: "Waiting reports" });
    await page.route("**/admin/queue", (route) =>
      route.request().resourceType() === "document"
        ? route.continue()
        : route.fulfill({ status: 500 }),
    );
    await strip.getByRole("button", { name: reportNumber(last) }).click();
    expect(await nextName(page, second)).toBe(third);
    await expect.poll(takenByAnn).toEqual([last]);
    await page.context().close();
    await emptyQueue(url, ann.token);
  });

  it("hand out a report again ten minutes after its moderator's laptop was closed", async () => {
    const [first = "", second = ""] = (await fill(2)).keys();
    const { page: anns } = await openAs(ann);
    expect(await nextName(anns)).toBe(first);
    // The page can't release the report.
    await anns.context().setOffline(true);
    await anns.context().close();
    const { page: bens } = await openAs(ben);
    expect(await nextName(bens)).toBe(second);
    await bens.keyboard.press("a");
    await bens.keyboard.press("Enter");
    await bens.getByText("Other moderators are working on the rest").waitFor();
    await bens.getByText("1 report is reserved by other moderators").waitFor();
    // A read from before the ten minutes have passed, which is never answered.
    let isReading = false;
    const read = () => {
      isReading = true;
    };
    await bens.route("**/api/admin/queue", read, { times: 1 });
    const readsAgain = async () => {
      await bens.evaluate(() => window.dispatchEvent(new Event("visibilitychange")));
      return isReading;
    };
    await expect.poll(readsAgain).toBe(true);
    await onDatabase(dataDir, (db) =>
      db.query("update command.queue_lease set until = until - interval '10 minutes'"),
    );
    await bens.keyboard.press("Enter");
    await bens.getByRole("button", { name: "Check again" }).waitFor({ state: "detached" });
    expect(await nextName(bens)).toBe(first);
    await bens.context().close();
  });
});
