import type { Browser, Page, Route } from "playwright-core";
import sharp from "sharp";
import { beforeAll, describe, expect, it } from "vitest";
import { LEASE_MS, type Queue } from "#contracts/http/queue.ts";
import { reportNumber } from "#contracts/report/masks.ts";
import { findChromium, NO_BROWSER, openPage, storeSession } from "./support/browser.ts";
import { post, send } from "./support/calls.ts";
import { onDatabase } from "./support/database.ts";
import { emptyQueue } from "./support/empty-queue.ts";
import { answersFrom } from "./support/held-answers.ts";
import { faults, NARROW } from "./support/page-checks.ts";
import { addAccount } from "./support/registry.ts";
import { chargeback } from "./support/reports.ts";
import { ADMIN, openSession, type StoredSession } from "./support/sessions.ts";
import { sharedBrowser, sharedRegistry } from "./support/shared.ts";
import { skipWhere } from "./support/skip-where.ts";

const executable = findChromium();
const BEN = { email: "ben-queue@registry.example", password: ADMIN.password };
let registry: { readonly url: string; readonly dataDir: string };
let browser: Browser;
let ann: StoredSession;
let ben: StoredSession;

beforeAll(async () => {
  if (!executable) return;
  registry = await sharedRegistry();
  await addAccount(registry.dataDir, { role: "admin", ...BEN, name: ["Ben", "Lee"] });
  ann = await openSession(registry.url, ADMIN);
  ben = await openSession(registry.url, BEN);
  browser = await sharedBrowser();
  await emptyQueue(registry.url, ann.token);
});

const record = (id: string) =>
  send<{ status: string; rejection_reason?: string; description: string }>(
    registry.url,
    `GET /admin/reports/${id}`,
    {},
    ann.token,
  );

/** A last name of letters for each number. */
const nameOf = (n: number) =>
  `Case${String.fromCharCode(97 + Math.floor(n / 26))}${String.fromCharCode(97 + (n % 26))}`;

let submitted = 0;
/** Submits confirmed reports, one after the other. @returns their ids by the name on the screen. */
async function fill(
  count: number,
  fieldsOf: (n: number) => Promise<object> = async () => ({}),
): Promise<Map<string, string>> {
  const ids = new Map<string, string>();
  for (let n = 0; n < count; n += 1) {
    const last_name = nameOf(submitted);
    submitted += 1;
    const body = { ...chargeback, last_name, ...(await fieldsOf(n)) };
    const { id } = await post<{ id: string }>(registry.url, "/reports/submit", body);
    await post(registry.url, `/admin/reports/${id}/verify`, {}, ann.token);
    ids.set(`Quinn ${last_name}`, id);
  }
  return ids;
}

async function openAs(session: StoredSession, address = "/admin/queue") {
  const { page, complaints } = await openPage(browser);
  await storeSession(page, registry.url, session);
  await page.goto(registry.url + address);
  return { page, complaints };
}

/** The queue, and what keeps its next answer from there. */
async function openHolding(session: StoredSession, address: string) {
  const { page, complaints } = await openPage(browser);
  const hold = await answersFrom(page, address);
  await storeSession(page, registry.url, session);
  await page.goto(`${registry.url}/admin/queue`);
  return { page, complaints, hold };
}

const heading = (page: Page) => page.getByRole("heading", { level: 2, name: /Quinn Case/ });
const empty = (page: Page) => page.getByText("The queue is empty");

/** The name of the report on the screen, once it is another one than before; undefined for none left. */
async function nextName(page: Page, before?: string): Promise<string | undefined> {
  const nothing = page.getByRole("button", { name: "Check again" });
  for (;;) {
    await heading(page).or(nothing).first().waitFor();
    if ((await nothing.count()) > 0) return undefined;
    // Between two reports there may be none for a moment.
    const [words] = await heading(page).allInnerTexts();
    const name = /Quinn Case\w+$/.exec(words ?? "")?.[0] ?? before;
    if (name !== before) {
      // From then on it takes keys.
      await page.waitForFunction(
        (text) => document.activeElement?.textContent?.endsWith(text ?? ""),
        name,
      );
      return name;
    }
    await page.waitForFunction(
      (text) => !document.querySelector("main h2")?.textContent?.endsWith(text ?? ""),
      before,
    );
  }
}

/** The commands that the page sends about reports from now on. */
function commandsOf(page: Page): string[] {
  const sent: string[] = [];
  page.on("request", (request) => {
    const [, command] = /\/admin\/reports\/[^/]+\/([^/]+)$/.exec(request.url()) ?? [];
    if (command && request.method() === "POST") sent.push(command);
  });
  return sent;
}

/** A press asks first, as the key does. */
async function approveByMouse(page: Page): Promise<void> {
  await page.getByRole("button", { name: /^Approve/ }).click();
  const dialog = page.getByRole("dialog", { name: /^Approve the report about Quinn/ });
  await dialog.getByRole("button", { name: "Approve report" }).click();
}

async function pressAll(page: Page, ...keys: string[]): Promise<void> {
  for (const key of keys) await page.keyboard.press(key);
}

/** A moderator's morning: what the reports are, the oldest first. */
type Case = "approved" | "rejected" | "evidence" | "duplicate" | "private";
const MORNING = Array.from({ length: 50 }, (_, n): Case => {
  if (n % 5 === 0) return "evidence";
  if (n % 10 === 9) return "duplicate";
  if ([6, 16, 26].includes(n)) return "private";
  return n % 4 === 3 ? "rejected" : "approved";
});
/** How many keys each takes. */
const PRESSES = { approved: 2, rejected: 2, evidence: 6, duplicate: 2, private: 3 } as const;

async function uploadedPhoto(n: number) {
  const create = {
    width: 60,
    height: 40,
    channels: 3,
    background: { r: n, g: 90, b: 90 },
  } as const;
  const bytes = new Uint8Array(await sharp({ create }).jpeg().toBuffer());
  const { id, secret } = await post(registry.url, "/uploads", bytes);
  return { id, secret, name: `photo-${n}.jpg` };
}

async function fieldsOf(n: number): Promise<object> {
  switch (MORNING[n]) {
    case "evidence":
      return { evidence: [await uploadedPhoto(n), await uploadedPhoto(n + 100)] };
    case "private":
      return { description: `He asked to be called at (303) 555-01${n + 10}.` };
    default:
      // The one before a duplicate has its address too.
      return { email: `buyer-${n + Number(MORNING[n + 1] === "duplicate")}@mail.example` };
  }
}

describe("the moderation queue", () => {
  skipWhere(executable ? undefined : NO_BROWSER);

  it("is cleared of a morning's fifty reports by the keyboard alone, a plain one with two keys", async () => {
    const ids = [...(await fill(MORNING.length, fieldsOf))];
    const { page, complaints } = await openAs(ann);
    let presses = 0;
    const press = async (...keys: string[]) => {
      presses += keys.length;
      await pressAll(page, ...keys);
    };
    const decide: Readonly<Record<Case, () => Promise<void>>> = {
      approved: () => press("a", "Enter"),
      async rejected() {
        await press("r");
        await page.waitForFunction(() => document.activeElement?.getAttribute("type") === "radio");
        await press("1");
      },
      async evidence() {
        await press("v");
        await page.getByText(/^Hidden data is visible/).waitFor();
        await press("e");
        await page.getByRole("dialog").getByText("1 of 2").waitFor();
        await page.getByRole("img", { name: /^JPEG picture photo-\d+\.jpg$/ }).waitFor();
        await press("ArrowRight");
        await page.getByRole("dialog").getByText("2 of 2").waitFor();
        await press("Escape");
        await page.getByRole("dialog").waitFor({ state: "detached" });
        await press("a", "Enter");
      },
      async duplicate() {
        await press("d");
        const dialog = page.getByRole("dialog", { name: /^Compare with/ });
        await dialog.getByRole("row", { name: /^Email .* Same$/ }).waitFor();
        await press("d");
      },
      async private() {
        const mark = page.locator("mark").filter({ hasText: "(303) 555-01" }).first();
        await mark.waitFor();
        await press("x");
        await mark.waitFor({ state: "detached" });
        await press("a", "Enter");
      },
    };
    let name = await nextName(page);
    await page.getByText(`${MORNING.length} to decide`).waitFor();
    expect(await faults(page)).toEqual([]);
    const waits: number[] = [];
    for (const [n, kind] of MORNING.entries()) {
      expect([n, name]).toEqual([n, ids[n]?.[0]]);
      const before = presses;
      await decide[kind]();
      expect([n, kind, presses - before]).toEqual([n, kind, PRESSES[kind]]);
      const decidedAt = performance.now();
      name = await nextName(page, name);
      waits.push(performance.now() - decidedAt);
    }
    await empty(page).waitFor();
    expect(await faults(page)).toEqual([]);
    expect(complaints).toEqual([]);
    const [median, slow] = [0.5, 0.95].map((part) =>
      waits.toSorted((a, b) => a - b)[Math.floor(part * waits.length)]?.toFixed(0),
    );
    process.stdout.write(
      `${MORNING.length} reports, ${presses} keys; the next one ${median} ms after the last key, 95 of 100 within ${slow} ms\n`,
    );
    const decided = await Promise.all(
      ids.map(async ([, id]) => {
        const { status, rejection_reason = "", description } = await record(id);
        return [status, rejection_reason, description.includes("(303)")];
      }),
    );
    expect(decided).toEqual(
      MORNING.map((kind) => [
        kind === "rejected" || kind === "duplicate" ? "rejected" : "approved",
        expect.stringMatching(
          { rejected: /^It has no evidence/, duplicate: /^The same case/ }[String(kind)] ?? /^$/,
        ),
        false,
      ]),
    );
    await page.context().close();
  }, 300_000);

  it("shows no report to two moderators, who decide it at the same time", async () => {
    const ids = await fill(12);
    const screens = [await openAs(ann), await openAs(ben)];
    // Both have one before either decides.
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
    // Each was shown once, and both moderators had some.
    expect(names.flat().toSorted()).toEqual([...ids.keys()].toSorted());
    expect(names.map((seen) => seen.length > 0)).toEqual([true, true]);
    expect(screens.flatMap(({ complaints }) => complaints)).toEqual([]);
    for (const { page } of screens) await page.context().close();
  });

  it("asks before a report is decided that another moderator has, and passes over what is skipped", async () => {
    const ids = await fill(2);
    const [first = "", second = ""] = ids.keys();
    const { page: bens } = await openAs(ben);
    expect(await nextName(bens)).toBe(first);
    const id = ids.get(first) ?? "";
    // What is typed outlives Esc and another report.
    await bens.keyboard.press("n");
    const note = bens.getByRole("textbox", { name: "Note for moderators" });
    await note.fill("The same parcel as in May.");
    await note.press("Escape");
    await bens.keyboard.press("j");
    expect(await nextName(bens, first)).toBe(second);
    await bens.keyboard.press("k");
    expect(await nextName(bens, second)).toBe(first);
    await bens.keyboard.press("n");
    expect(await note.inputValue()).toBe("The same parcel as in May.");
    await note.press("Control+Enter");
    await bens.getByText("The same parcel as in May.").waitFor();
    const { page: anns } = await openAs(ann, `/admin/reports/${id}`);
    await anns.getByText(/^Ben Lee has this report until \d+:\d\d [AP]M \S+\.$/).waitFor();
    const notes = anns.getByRole("region", { name: "Notes among moderators" });
    await notes.getByText("The same parcel as in May.").waitFor();
    await notes.getByText(/^Ben Lee, /).waitFor();
    await approveByMouse(anns);
    const dialog = anns.getByRole("dialog", { name: "Decide anyway?" });
    await dialog.waitFor();
    expect(await faults(anns)).toEqual([]);
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await dialog.waitFor({ state: "detached" });
    expect((await record(id)).status).toBe("pending");

    await note.press("Escape");
    await bens.keyboard.press("?");
    const keys = bens.getByRole("dialog", { name: "Keyboard shortcuts" });
    await keys.getByText("Put under review").waitFor();
    expect(await faults(bens)).toEqual([]);
    await keys.getByRole("button", { name: "Close" }).press("Enter");
    await keys.waitFor({ state: "detached" });
    await bens.keyboard.press("j");
    expect(await nextName(bens, first)).toBe(second);
    await bens.keyboard.press("j");
    await bens.getByText("You skipped 2 reports.").waitFor();
    await approveByMouse(anns);
    await anns.getByText("Report approved").waitFor();
    // A change of what is decided asks, and is taken back, as any decision.
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
    await bens.keyboard.press("a");
    await bens.keyboard.press("Enter");
    await empty(bens).waitFor();
    await anns.context().close();
    await bens.context().close();
  });

  it("takes a decision back by a key, mails nobody of it, and shows the report again", async () => {
    const ids = await fill(2);
    const [[first = "", id = ""] = [], [second = ""] = []] = [...ids];
    const { page, complaints } = await openAs(ann);
    expect(await nextName(page)).toBe(first);
    await page.keyboard.press("a");
    await page.keyboard.press("Enter");
    expect(await nextName(page, first)).toBe(second);
    const notice = page.getByRole("status").filter({ hasText: "Report approved" });
    await notice.getByRole("button", { name: /^Undo$/ }).waitFor();
    expect(await faults(page)).toEqual([]);
    // The offer outlives other notices, and a failure.
    await page.keyboard.press("n");
    await page.keyboard.type("See the one before.");
    await page.keyboard.press("Control+Enter");
    await page.getByText("Note saved").waitFor();
    await page.keyboard.press("Escape");
    await page.route("**/undo", (route) => route.fulfill({ status: 500 }), { times: 1 });
    await page.keyboard.press("z");
    await page.getByRole("alert").filter({ hasText: "Failed to undo" }).waitFor();
    await page.keyboard.press("z");
    await page.getByRole("status").filter({ hasText: "Decision undone" }).waitFor();
    await notice.waitFor({ state: "detached" });
    expect(await nextName(page, second)).toBe(first);
    expect((await record(id)).status).toBe("pending");
    const mails = async () => {
      const { rows } = await onDatabase(registry.dataDir, (client) =>
        client.query(
          "select kind, attempts from outbox.mail where report_id = $1 order by position",
          [id],
        ),
      );
      return rows;
    };
    await expect
      .poll(async () => (await mails()).map(({ kind }) => kind))
      .toEqual(["verification", "approved"]);
    expect((await mails()).at(-1)?.attempts).toBe(0);

    await page.keyboard.press("a");
    await page.keyboard.press("Enter");
    expect(await nextName(page, first)).toBe(second);
    await page.keyboard.press("a");
    await page.keyboard.press("Enter");
    expect(await nextName(page, second)).toBeUndefined();
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it("shows a report again to whoever dealt with it, once it is back in the queue", async () => {
    const ids = await fill(2);
    const [[first = "", id = ""] = [], [second = ""] = []] = [...ids];
    const { page } = await openAs(ann);
    expect(await nextName(page)).toBe(first);
    await page.keyboard.press("u");
    await page.keyboard.press("Enter");
    expect(await nextName(page, first)).toBe(second);
    // It asks and is taken back as every decision.
    await page.getByRole("status").filter({ hasText: "Report put under review" }).waitFor();
    await page.keyboard.press("z");
    expect(await nextName(page, second)).toBe(first);
    expect((await record(id)).status).toBe("pending");
    await page.keyboard.press("u");
    await page.keyboard.press("Enter");
    expect(await nextName(page, first)).toBe(second);
    await post(registry.url, `/admin/reports/${id}/status`, { status: "pending" }, ann.token);
    await page.getByText("2 to decide").waitFor();
    await page.keyboard.press("a");
    await page.keyboard.press("Enter");
    expect(await nextName(page, second)).toBe(first);
    await page.keyboard.press("a");
    await page.keyboard.press("Enter");
    await empty(page).waitFor();
    await page.context().close();
  });

  it("leaves a decided report alone, whatever is pressed before the next one stands", async () => {
    const ids = await fill(3);
    const [[first = "", id = ""] = [], [second = "", other = ""] = [], [third = ""] = []] = [
      ...ids,
    ];
    const { page, complaints, hold } = await openHolding(ann, "**/queue/take");
    expect(await nextName(page)).toBe(first);
    // The reasons have their numbers.
    await page.keyboard.press("r");
    await page.waitForFunction(() => document.activeElement?.getAttribute("type") === "radio");
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    const sent = commandsOf(page);
    const goOn = hold();
    await pressAll(page, "a", "Enter", "r", "3");
    await page.getByText("Report approved").waitFor();
    await pressAll(page, "r", "3", "Escape", "u", "Enter", "x", "y", "j");
    expect(sent).toEqual(["approve"]);
    goOn();
    expect(await nextName(page, first)).toBe(second);
    expect(sent).toEqual(["approve"]);
    expect([(await record(id)).status, (await record(other)).status]).toEqual([
      "approved",
      "pending",
    ]);
    // Taken back before another one stands there, it can be decided again.
    const goOnAgain = hold();
    await pressAll(page, "u", "Enter");
    await page.getByText("Report put under review").waitFor();
    await page.keyboard.press("z");
    await page.getByText("Decision undone").waitFor();
    goOnAgain();
    await approveByMouse(page);
    expect(await nextName(page, second)).toBe(third);
    await pressAll(page, "a", "Enter");
    await empty(page).waitFor();
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it("goes back past what somebody else has meanwhile, and keeps nothing that it does not show", async () => {
    const ids = await fill(3);
    const [[first = ""] = [], [second = "", id = ""] = [], [third = "", last = ""] = []] = [...ids];
    const { page, complaints, hold } = await openHolding(ann, "**/queue/take");
    let name = await nextName(page);
    for (const next of [second, third]) {
      await page.keyboard.press("j");
      name = await nextName(page, name);
      expect(name).toBe(next);
    }
    await post(registry.url, "/admin/queue/take", { reports: [id] }, ben.token);
    await page.keyboard.press("k");
    expect(await nextName(page, third)).toBe(first);
    await post(registry.url, "/admin/queue/leave", { report: id }, ben.token);

    // The first answer comes after the second one.
    const goOn = hold();
    const strip = page.getByRole("navigation", { name: "Waiting reports" });
    for (const each of [id, last])
      await strip.getByRole("button", { name: reportNumber(each) }).click();
    expect(await nextName(page, first)).toBe(third);
    goOn();
    await expect
      .poll(async () => {
        const { taken } = await send<Queue>(registry.url, "GET /admin/queue", {}, ben.token);
        return taken.map(({ report_id }) => report_id);
      })
      .toEqual([last]);
    expect(complaints).toEqual([]);
    await page.context().close();
    await emptyQueue(registry.url, ann.token);
  });

  it("keeps what is typed while a note is saved, and asks on a narrow screen and without keys too", async () => {
    await fill(1);
    const { page, complaints, hold } = await openHolding(ann, "**/note");
    await page.setViewportSize(NARROW);
    await nextName(page);
    const sent = commandsOf(page);
    const goOn = hold();
    await page.keyboard.press("n");
    await page.keyboard.type("One");
    await page.keyboard.press("Control+Enter");
    await page.keyboard.type(" and two");
    goOn();
    await page.getByText("Note saved").waitFor();
    const note = page.getByRole("textbox", { name: "Note for moderators" });
    expect(await note.inputValue()).toBe("One and two");
    await note.press("Escape");

    // Its button is behind a menu.
    const dialog = page.getByRole("dialog", { name: /^Put the report about Quinn/ });
    await page.keyboard.press("u");
    await dialog.waitFor();
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    await page.getByRole("button", { name: "More" }).press("Enter");
    await page.getByRole("menuitem", { name: "Put under review" }).press("Enter");
    await dialog.waitFor();
    expect(await faults(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    expect(sent).toEqual(["note"]);

    await page.keyboard.press("?");
    const keys = page.getByRole("dialog", { name: "Keyboard shortcuts" });
    await keys.getByLabel("Keyboard shortcuts").press("Space");
    await keys.getByRole("button", { name: "Close" }).press("Enter");
    await page.getByRole("button", { name: /^Reject/ }).press("Enter");
    await page.waitForFunction(() => document.activeElement?.getAttribute("type") === "radio");
    await page.keyboard.press("4");
    await page.getByRole("radio", { name: /Duplicate/, checked: true }).waitFor();
    expect(sent).toEqual(["note"]);
    await page.keyboard.press("Control+Enter");
    await empty(page).waitFor();
    expect(sent).toEqual(["note", "reject"]);
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it("gives back what it took ahead where a decision fails, and says why a report cannot be kept", async () => {
    const [[first = "", id = ""] = []] = [...(await fill(2))];
    const { page } = await openPage(browser);
    await page.clock.install();
    await storeSession(page, registry.url, ann);
    await page.goto(`${registry.url}/admin/queue`);
    expect(await nextName(page)).toBe(first);
    await page.route("**/approve", (route) => route.fulfill({ status: 500 }));
    const taking = page.waitForResponse("**/queue/take");
    await pressAll(page, "a", "Enter");
    await taking;
    await page.getByRole("dialog").getByText("Failed to approve report").waitFor();
    const anns = async () => {
      const { taken } = await send<Queue>(registry.url, "GET /admin/queue", {}, ben.token);
      return taken.map(({ report_id }) => report_id);
    };
    await expect.poll(anns).toEqual([id]);
    await page.getByRole("button", { name: "Cancel" }).press("Enter");
    await page.getByRole("dialog").waitFor({ state: "detached" });

    await page.clock.fastForward(LEASE_MS + 1000);
    await onDatabase(registry.dataDir, (db) =>
      db.query("update command.queue_lease set until = until - interval '10 minutes'"),
    );
    await post(registry.url, "/admin/queue/take", { reports: [id] }, ben.token);
    const keep = page.getByRole("button", { name: "Reserve again" });
    await keep.click();
    await page.getByText(/^Ben Lee has this report until/).waitFor();
    await post(registry.url, `/admin/reports/${id}/approve`, {}, ben.token);
    await keep.click();
    await page.getByText("This report is no longer waiting for a decision.").waitFor();
    await page.context().close();
    await emptyQueue(registry.url, ann.token);
  });

  it("keeps what it takes again while it still gives that back, and shows it without the queue", async () => {
    const [[first = ""] = [], [second = "", id = ""] = [], [third = "", last = ""] = []] = [
      ...(await fill(3)),
    ];
    const { page } = await openAs(ann);
    expect(await nextName(page)).toBe(first);
    const anns = async () => {
      const { taken } = await send<Queue>(registry.url, "GET /admin/queue", {}, ben.token);
      return taken.map(({ report_id }) => report_id);
    };
    // The first decision fails; what it took is given back while the second one is sent.
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
    expect(await anns()).toEqual([id]);

    const strip = page.getByRole("navigation", { name: "Waiting reports" });
    await page.route("**/admin/queue", (route) =>
      route.request().resourceType() === "document"
        ? route.continue()
        : route.fulfill({ status: 500 }),
    );
    await strip.getByRole("button", { name: reportNumber(last) }).click();
    expect(await nextName(page, second)).toBe(third);
    await expect.poll(anns).toEqual([last]);
    await page.context().close();
    await emptyQueue(registry.url, ann.token);
  });

  it("hands out a report again ten minutes after its moderator's laptop was closed", async () => {
    const [first = "", second = ""] = (await fill(2)).keys();
    const { page: anns } = await openAs(ann);
    expect(await nextName(anns)).toBe(first);
    // No page says goodbye.
    await anns.context().setOffline(true);
    await anns.context().close();
    const { page: bens } = await openAs(ben);
    expect(await nextName(bens)).toBe(second);
    await bens.keyboard.press("a");
    await bens.keyboard.press("Enter");
    await bens.getByText("Other moderators are working on the rest").waitFor();
    await bens.getByText("1 report is with other moderators").waitFor();
    await onDatabase(registry.dataDir, (db) =>
      db.query("update command.queue_lease set until = until - interval '10 minutes'"),
    );
    await bens.keyboard.press("Enter");
    expect(await nextName(bens)).toBe(first);
    await bens.context().close();
  });
});
