import type { Page } from "playwright-core";
import { QUEUE } from "#contracts/http/queue.ts";
import { type Act, all, answer, press, until } from "./screen-acts.ts";

const JOB = "5b0b7f3e-0000-4000-8000-000000000005";

/** Opens what is kept back of the report. */
export const reveal = all(press("Reveal"), until("Kept-back data is open"));

const openFile =
  (name: string): Act =>
  async (page) => {
    await reveal(page);
    await page.getByRole("button", { name: `Open ${name}` }).click();
    await page.getByRole("img", { name: `PNG picture ${name}` }).waitFor();
  };

/** Opens a file of which a picture is published. */
export const openPublishedFile = openFile("check-front.png");

/** Puts two boxes over a file that is not published. */
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

/** Asks why a published picture is hidden. */
export const askToHide: Act = async (page) => {
  await page.getByRole("button", { name: "Hide", exact: true }).first().click();
  await page.getByLabel("Reason, for the history").waitFor();
};

/** Presses a command of the report; on a narrow screen some are in a menu. */
export const decide =
  (label: string): Act =>
  async (page) => {
    const button = page.getByRole("button", { name: label });
    const more = page.getByRole("button", { name: "More", exact: true });
    await button.or(more).first().waitFor();
    if (await button.isVisible()) await button.click();
    else {
      await more.click();
      await page.getByRole("menuitem", { name: label }).click();
    }
    await page.getByRole("dialog").waitFor();
  };

/** How many reports a bulk decision is about. */
const SELECTED = 3;

/** Selects the first reports of the list. @returns their ids. */
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

/** Another moderator has the selected reports. */
export const findThemTaken: Act = async (page) => {
  const taken = (await selectFirst(page)).map((report_id) => ({
    report_id,
    by: "Bea Holt",
    until: "2099-01-01T00:00:00.000Z",
  }));
  await page.route(`**${QUEUE}`, (route) =>
    route.fulfill({ json: { success: true, data: { reports: [], waiting: 0, taken } } }),
  );
  await press("Put under review…")(page);
  await page
    .getByRole("dialog")
    .getByRole("button", { name: /^Put under review/ })
    .click();
  await until("Decide them all the same?")(page);
};

/** Puts the selected reports under review; what became of them is made up. */
const putUnderReview =
  (state: "running" | "done"): Act =>
  async (page) => {
    const ids = await selectFirst(page);
    const at = "2026-11-23T10:00:00.000Z";
    const lines = ids.slice(0, state === "done" ? SELECTED : 2).map((target, index) => ({
      number: index + 1,
      target,
      outcome: (["conflict", "refused", "done"] as const)[index],
      message: "This report is not in that state.",
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
      .getByRole("button", { name: /^Put under review/ })
      .click();
  };

/** A bulk decision in its middle. */
export const decideMany = all(putUnderReview("running"), until("In progress: 2 of 3"));

/** A bulk decision at its end, which left two reports as they were. */
export const endMany = all(putUnderReview("done"), until(/left as (it was|they were)/));
