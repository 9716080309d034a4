import type { Page } from "playwright-core";
import { QUEUE } from "#contracts/http/queue.ts";
import { type Act, all, answer, inPage, press, until } from "./screen-acts.ts";

/** Searches everything for a name found in sample reports. */
export const searchEverything: Act = async (page) => {
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox", { name: "Search" }).fill("del");
  await page.getByRole("option").first().waitFor();
  await page.getByText(/^\d+ results?$/).waitFor();
};

/** Approves the first report in the queue. The server's answer is mocked, so the report stays there. */
export const approveFirst: Act = async (page) => {
  await page.route("**/prod/api/admin/reports/*/approve", (route) =>
    route.fulfill({
      json: {
        success: true,
        message: "Report approved",
        data: {
          id: "5b0b7f3e-0000-4000-8000-000000000001",
          status: "approved",
          verified: true,
          revision: 2,
        },
      },
    }),
  );
  await page
    .getByRole("button", { name: /^Approve/ })
    .first()
    .click();
  await page.getByRole("button", { name: "Approve report" }).click();
  await page.getByRole("button", { name: /^Undo/ }).waitFor();
};

/** Simulates an idle session that ends in this many seconds. */
const leave = async (page: Page, seconds: number) => {
  const untilMs = Date.now() + seconds * 1000;
  // Repeat this, because the answer to the page's own first call replaces it once.
  await page.waitForFunction(
    (ms) => {
      localStorage.setItem("console-idle-until", String(ms));
      return document.querySelector('[role="alertdialog"]');
    },
    untilMs,
    { polling: 1000 },
  );
};

export const waitForWarning: Act = (page) => leave(page, 100);

export const waitForEnd: Act = (page) => leave(page, -1);

const JOB = "5b0b7f3e-0000-4000-8000-000000000005";

const deletion = (n: number, change: object) => ({
  id: `5b0b7f3e-0000-4000-8000-00000000010${n}`,
  first_name: "Maximiliana-Alexandrina",
  last_name: "Featherstonehaugh",
  title: "Disputed a delivered order of fourteen handmade oak chairs",
  report_type: "chargeback",
  status: "approved",
  by: "5b0b7f3e-0000-4000-8000-000000000009",
  by_name: "Ida Nyberg",
  at: "2026-11-28T09:12:00.000Z",
  reason_code: "spam",
  ...change,
});
const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();

export const answerDeletions = answer("admin/deletions", 200, {
  data: {
    deletions: [
      deletion(1, { status: "pending" }),
      deletion(2, { own: true }),
      deletion(3, { erase_at: inHours(0.4), reason_code: "subject_request" }),
      deletion(4, { erase_at: inHours(20.5), report_type: "bad_check", status: "rejected" }),
    ],
    has_more: false,
  },
});

export const answerAskedToDelete: Act = async (page) => {
  const { by, by_name, at, reason_code } = deletion(0, {});
  await page.route("**/prod/admin/reports/*", async (route) => {
    const response = await route.fetch();
    const report = await response.json();
    const json = { ...report, deletion_request: { by, by_name, at, reason_code } };
    await route.fulfill({ response, json });
  });
};

export const answerDeleted: Act = (page) =>
  page.route("**/prod/admin/reports/*", (route) => {
    const fields = { by: "another", erase_at: inHours(20), reason_code: "court_order" };
    const error = { code: "report_deleted", message: "This report was deleted", fields };
    return route.fulfill({ status: 410, json: { success: false, error } });
  });

export const reveal = all(press("Reveal all"), until(/^Hidden data is visible/));

const openFile = (name: string): Act =>
  inPage(async (page) => {
    await reveal(page);
    await page.getByRole("button", { name: `Open ${name}` }).click();
    await page.getByRole("img", { name: `PNG picture ${name}` }).waitFor();
  });

export const openPublishedFile = openFile("check-front.png");

/** Draws two boxes over an unpublished file. */
export const drawBoxes = all(
  openFile("receipt.png"),
  press("Prepare to publish"),
  press("Add box"),
  press("Add box"),
  async (page) => {
    await page.getByLabel("Left").nth(1).fill("400");
    await page.getByLabel("Top").nth(1).fill("240");
  },
);

export const askToHide = inPage(async (page) => {
  await page.getByRole("button", { name: "Hide", exact: true }).first().click();
  await page.getByLabel("Reason, for the history").waitFor();
});

/** Clicks a command of the report; on a narrow screen some are in a menu. */
export const decide = (label: string): Act =>
  inPage(async (page) => {
    const button = page.getByRole("button", { name: label });
    const more = page.getByRole("button", { name: "More", exact: true });
    await button.or(more).first().waitFor();
    if (await button.isVisible()) await button.click();
    else {
      await more.click();
      await page.getByRole("menuitem", { name: label }).click();
    }
    await page.getByRole("dialog").waitFor();
  });

/** Writes a note about the report without saving it. */
export const writeNote: Act = (page) =>
  page.getByRole("textbox", { name: "Note for moderators" }).fill("The courier names a neighbor.");

export const showKeys = inPage(async (page) => {
  await page.getByText("Total due").waitFor();
  await page.keyboard.press("?");
  await page.getByRole("dialog").waitFor();
});

const SELECTED = 3;

/** Selects the first reports of the list. @returns their IDs. */
async function selectFirst(page: Page): Promise<string[]> {
  const boxes = page.getByRole("checkbox", { name: /^Select (?!all)/ });
  for (let n = 0; n < SELECTED; n += 1) await boxes.nth(n).check();
  await page.getByText(`${SELECTED} selected`).waitFor();
  const links = page.getByRole("main").locator('a[href^="/admin/reports/"]');
  const hrefs = await links.evaluateAll((all) =>
    all.map((each) => each.getAttribute("href") ?? ""),
  );
  return [...new Set(hrefs.map((href) => /[\da-f-]{36}$/.exec(href)?.[0] ?? ""))]
    .filter(Boolean)
    .slice(0, SELECTED);
}

/** Simulates that another moderator has reserved the selected reports. */
export const findThemTaken: Act = async (page) => {
  const taken = (await selectFirst(page)).map((report_id) => ({
    report_id,
    by: "Bea Holt",
    until: "2099-01-01T00:00:00.000Z",
  }));
  await page.route(`**${QUEUE}`, (route) =>
    route.fulfill({
      json: { success: true, data: { reports: [], since: [], to_decide: 0, taken } },
    }),
  );
  await press("Put under review…")(page);
  await page
    .getByRole("dialog")
    .getByRole("button", { name: /^Put .* under review/ })
    .click();
  await until("Decide them anyway?")(page);
};

/** Puts the selected reports under review, with a mocked result. */
const putUnderReview =
  (state: "running" | "done"): Act =>
  async (page) => {
    const ids = await selectFirst(page);
    const at = "2026-11-23T10:00:00.000Z";
    const lines = ids.slice(0, state === "done" ? SELECTED : 2).map((target, index) => ({
      number: index + 1,
      target,
      outcome: (["conflict", "refused", "done"] as const)[index],
      message: "The report is already under review",
      at,
    }));
    const done = lines.length;
    const counts = { done: 1, conflict: 1, refused: 1, gone: 0, failed: 0 };
    const total = SELECTED;
    const base = { id: JOB, kind: "bulk", account_id: JOB, created_at: at };
    await answer("admin/reports/bulk", 200, { data: { job_id: JOB } })(page);
    await answer("system/jobs/*", 200, { data: { ...base, state, done, total, counts, lines } })(
      page,
    );
    await press("Put under review…")(page);
    await page
      .getByRole("dialog")
      .getByRole("button", { name: /^Put .* under review/ })
      .click();
  };

export const decideMany = all(putUnderReview("running"), until("In progress: 2 of 3"));

/** Shows a finished bulk decision that left two reports unchanged. */
export const endMany = all(putUnderReview("done"), until(/left as (it was|they were)/));
