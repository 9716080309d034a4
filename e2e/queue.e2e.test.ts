import { describe, expect, it } from "vitest";
import { post } from "./support/calls.ts";
import { onDatabase } from "./support/database.ts";
import { emptyQueue } from "./support/empty-queue.ts";
import { faults, NARROW, WIDE } from "./support/page-checks.ts";
import {
  approveByMouse,
  commandsOf,
  empty,
  fill,
  nextName,
  openAs,
  openHolding,
  pressAll,
  record,
  startQueue,
  uploadedPhoto,
} from "./support/queue.ts";
import type { StoredSession } from "./support/sessions.ts";
import { beforeAllInBrowser } from "./support/shared.ts";

let url: string;
let dataDir: string;
let ann: StoredSession;

beforeAllInBrowser(async () => {
  ({ url, dataDir, ann } = await startQueue());
  await emptyQueue(url, ann.token);
});

/** A moderator's morning of 50 reports, oldest first: more than the front of the queue holds. */
type Case = "approved" | "rejected" | "evidence" | "duplicate" | "private";
const MORNING = Array.from({ length: 50 }, (_, n): Case => {
  if (n % 5 === 0) return "evidence";
  if (n % 10 === 9) return "duplicate";
  if ([6, 16, 26].includes(n)) return "private";
  return n % 4 === 3 ? "rejected" : "approved";
});
/** How many key presses each case takes. */
const PRESSES = { approved: 2, rejected: 2, evidence: 6, duplicate: 2, private: 3 } as const;

const photo = (n: number) => uploadedPhoto(`photo-${n}.jpg`, { r: n, g: 90, b: 90 });

async function fieldsOf(n: number): Promise<object> {
  switch (MORNING[n]) {
    case "evidence":
      return { evidence: [await photo(n), await photo(n + 100)] };
    case "private":
      return { description: `He asked to be called at (303) 555-01${n + 10}.` };
    default:
      // The report before a duplicate has the same address.
      return { email: `buyer-${n + Number(MORNING[n + 1] === "duplicate")}@mail.example` };
  }
}

describe("the moderation queue", () => {
  it("is cleared of a morning's reports by keyboard alone, with two keys for a plain one", async () => {
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
        // The text is masked before everything else is reloaded; keys work only after that.
        await page.getByRole("button", { name: /^Approve/, disabled: false }).waitFor();
        await press("a", "Enter");
      },
    };
    let name = await nextName(page);
    await page.getByText(`${MORNING.length} to decide`).waitFor();
    expect(await faults(page)).toEqual([]);
    for (const [n, kind] of MORNING.entries()) {
      expect([n, name]).toEqual([n, ids[n]?.[0]]);
      const before = presses;
      await decide[kind]();
      expect([n, kind, presses - before]).toEqual([n, kind, PRESSES[kind]]);
      name = await nextName(page, name);
    }
    await empty(page).waitFor();
    expect(await faults(page)).toEqual([]);
    expect(complaints).toEqual([]);
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

  it("undoes a decision with a key, emails no one about it, and shows the report again", async () => {
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
    // The offer to undo outlives other notices, and a failure.
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
      const { rows } = await onDatabase(dataDir, (client) =>
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

  it("shows a report again to anyone who handled it, once it is back in the queue", async () => {
    const ids = await fill(2);
    const [[first = "", id = ""] = [], [second = ""] = []] = [...ids];
    const { page } = await openAs(ann);
    expect(await nextName(page)).toBe(first);
    await page.keyboard.press("u");
    await page.keyboard.press("Enter");
    expect(await nextName(page, first)).toBe(second);
    // It asks first and can be undone, like every decision.
    await page.getByRole("status").filter({ hasText: "Report put under review" }).waitFor();
    await page.keyboard.press("z");
    expect(await nextName(page, second)).toBe(first);
    await expect.poll(async () => (await record(id)).status).toBe("pending");
    await page.keyboard.press("u");
    await page.keyboard.press("Enter");
    expect(await nextName(page, first)).toBe(second);
    await page.getByText("1 to decide").waitFor();
    await post(url, `/admin/reports/${id}/status`, { status: "pending" }, ann.token);
    await page.getByText("2 to decide").waitFor();
    await page.keyboard.press("a");
    await page.keyboard.press("Enter");
    expect(await nextName(page, second)).toBe(first);
    await page.keyboard.press("a");
    await page.keyboard.press("Enter");
    await empty(page).waitFor();
    await page.context().close();
  });

  it("leaves a decided report alone, whatever is pressed before the next one appears", async () => {
    const ids = await fill(3);
    const [[first = "", id = ""] = [], [second = "", other = ""] = [], [third = ""] = []] = [
      ...ids,
    ];
    const { page, complaints, hold } = await openHolding(ann, "**/queue/take");
    expect(await nextName(page)).toBe(first);
    // The reasons have number keys.
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
    await expect.poll(async () => (await record(id)).status).toBe("approved");
    expect((await record(other)).status).toBe("pending");
    // If the decision is undone before another report appears, it can be decided again.
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

  it("keeps what is typed while a note is saved, and asks first on a narrow screen and without keys", async () => {
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

    await page.setViewportSize(WIDE);
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
});
