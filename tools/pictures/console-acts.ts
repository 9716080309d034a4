import type { Page } from "playwright-core";
import type { Act } from "./screen-acts.ts";

/** Searches everything for a name that sample reports have. */
export const searchEverything: Act = async (page) => {
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox", { name: "Search" }).fill("del");
  await page.getByRole("option").first().waitFor();
  await page.getByText(/^\d+ found$/).waitFor();
};

/** Approves the first report that waits; the server's answer is made up, so the report still waits. */
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
    .getByRole("button", { name: /^Approve: / })
    .first()
    .click();
  await page.getByRole("button", { name: /^Undo/ }).waitFor();
};

/** The session has been without use until it is over in so many seconds. */
const leave = async (page: Page, seconds: number) => {
  const untilMs = Date.now() + seconds * 1000;
  // Again and again: the answer to the page's own first call replaces it once.
  await page.waitForFunction(
    (ms) => {
      localStorage.setItem("console-idle-until", String(ms));
      return document.querySelector('[role="alertdialog"]');
    },
    untilMs,
    { polling: 1000 },
  );
};

/** Does nothing until the session is nearly over. */
export const waitForWarning: Act = (page) => leave(page, 100);

/** Does nothing until the session is over. */
export const waitForEnd: Act = (page) => leave(page, -1);
