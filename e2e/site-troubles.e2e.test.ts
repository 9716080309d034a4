import type { Page, Route } from "playwright-core";
import { describe, expect, it } from "vitest";
import type { Viewer } from "../tools/pictures/screen.ts";
import { fillForm } from "../tools/pictures/screen-acts.ts";
import { sharedStage } from "../tools/pictures/shared-stage.ts";
import type { Stage } from "../tools/pictures/stage.ts";
import { beforeAllInBrowser } from "./support/shared.ts";

const PASSWORD = "Correct-horse-10";
/** The site's reads and writes. Pages and their scripts still load. */
const CALLS = "**/prod/api/**";

let stage: Stage;
beforeAllInBrowser(async () => {
  stage = await sharedStage();
});

interface Trouble {
  readonly meet: (route: Route) => Promise<void>;
  readonly says: RegExp;
}

/** What a page says when nothing answers, unless it has its own sentence. */
const UNANSWERED = /try again|check your connection/i;
const REFUSED = (route: Route) => route.fulfill({ status: 400, json: { success: false } });

/** What goes wrong with a call, and what the page must say. */
const TROUBLES: Readonly<Record<string, Trouble>> = {
  "is offline": { meet: (route) => route.abort("internetdisconnected"), says: UNANSWERED },
  "gets a page of a proxy whose server is down": {
    meet: (route) => route.fulfill({ status: 502, contentType: "text/html", body: "<h1>502</h1>" }),
    says: UNANSWERED,
  },
  "asks too often": {
    meet: (route) =>
      route.fulfill({
        status: 429,
        headers: { "retry-after": "42" },
        json: {
          success: false,
          error: { code: "rate_limited", message: "Too many requests. Try again in 42 seconds." },
        },
      }),
    says: /42 seconds/,
  },
};

/** A form, filled in and ready to submit. */
interface Action {
  readonly path: string;
  readonly as?: Viewer;
  readonly fill: (page: Page) => Promise<unknown>;
  readonly button: string;
  /** The button's text while the form is being sent. */
  readonly sending: string;
  /** A field that keeps what was typed. */
  readonly kept: readonly [label: string, value: string];
  /** What it says about a refusal without a sentence, and when there is no answer. */
  readonly failed?: readonly [refused: string, unanswered: string];
  /** The summary that gets the focus and says what went wrong; an alert when absent. */
  readonly summary?: string;
}

const password = (page: Page, label: string, value: string) =>
  page.getByLabel(label, { exact: true }).fill(value);

const ACTIONS: Readonly<Record<string, Action>> = {
  "the sign-in": {
    path: "/login",
    async fill(page) {
      await page.getByLabel("Email").fill("rae@shop.example");
      await password(page, "Password", PASSWORD);
    },
    button: "Sign In",
    sending: "Signing in…",
    kept: ["Email", "rae@shop.example"],
    failed: ["Login failed", "Login failed. Check your connection and try again."],
  },
  "the registration": {
    path: "/register",
    async fill(page) {
      await page.getByLabel("First name").fill("Rae");
      await page.getByLabel("Last name").fill("Holt");
      await page.getByLabel("Email").fill("rae@shop.example");
      await password(page, "Password", PASSWORD);
      await password(page, "Confirm password", PASSWORD);
    },
    button: "Create Account",
    sending: "Creating your account…",
    kept: ["First name", "Rae"],
    failed: ["Registration failed", "Registration failed. Check your connection and try again."],
  },
  "the form for a forgotten password": {
    path: "/forgot-password",
    fill: (page) => page.getByLabel("Email").fill("rae@shop.example"),
    button: "Send Reset Link",
    sending: "Sending…",
    kept: ["Email", "rae@shop.example"],
    failed: ["Failed to send reset email", "Failed to send reset email. Please try again."],
  },
  "the reset of a password": {
    path: "/reset-password/token-of-a-mail",
    async fill(page) {
      await password(page, "New password", PASSWORD);
      await password(page, "Confirm new password", PASSWORD);
    },
    button: "Set New Password",
    sending: "Setting your password…",
    kept: ["New password", PASSWORD],
    failed: [
      "Failed to reset password",
      "Failed to reset password. The link may be invalid or expired.",
    ],
  },
  "the profile": {
    path: "/profile",
    as: "owner",
    async fill(page) {
      await page.getByRole("button", { name: /^Edit/ }).first().click();
      await page.getByLabel("First name").fill("Raelene");
    },
    button: "Save",
    sending: "Saving…",
    kept: ["First name", "Raelene"],
    failed: ["Profile update failed", "Failed to update profile. Please try again."],
  },
  "the change of a password": {
    path: "/account-settings",
    as: "owner",
    async fill(page) {
      await page.getByRole("button", { name: "Change Password" }).click();
      await password(page, "Current password", "Correct-horse-9");
      await password(page, "New password", PASSWORD);
      await password(page, "Confirm new password", PASSWORD);
    },
    button: "Save Password",
    sending: "Saving…",
    kept: ["New password", PASSWORD],
  },
  "the report form": {
    path: "/report",
    fill: fillForm,
    button: "Submit Report",
    sending: "Submitting…",
    kept: ["City", "Halifax"],
    summary: "Your report wasn't submitted",
  },
  "the form to sales": {
    path: "/enterprise",
    async fill(page) {
      await page.getByLabel(/^Company/).fill("Alpine Watches");
      await page.getByLabel(/^(Your )?name/i).fill("Rae Holt");
      await page.getByLabel(/^E-?mail/i).fill("rae@shop.example");
      await page.getByLabel(/use case/i).fill("We want to check orders above $500.");
    },
    button: "Contact sales",
    sending: "Sending…",
    kept: ["Company", "Alpine Watches"],
  },
};

/** A screen that reads when it opens, and what it shows once it has. */
interface Reading {
  readonly path: string;
  readonly as?: Viewer;
  readonly content: string | RegExp;
}

const READINGS: Readonly<Record<string, Reading>> = {
  "the dashboard": {
    path: "/dashboard",
    as: "owner",
    content: "Disputed two delivered orders within a month",
  },
  "the account's settings": {
    path: "/account-settings",
    as: "owner",
    content: "Decisions on my reports",
  },
};

/** Opens a screen, narrow and light, and uses its page. */
async function open<T>(
  { path, as }: { readonly path: string; readonly as?: Viewer },
  use: (page: Page) => Promise<T>,
): Promise<T> {
  const screen = { name: path, path, ...(as ? { as } : {}) };
  return stage.show(screen, { width: 360, colors: "light" }, use);
}

const alerts = (page: Page) => page.getByRole("alert");
const told = (page: Page, { summary }: Action) =>
  summary === undefined ? alerts(page) : page.getByRole("region", { name: summary });

describe("a visitor whose API call fails", () => {
  for (const [name, action] of Object.entries(ACTIONS)) {
    const { path, as } = action;
    const target = { path, ...(as ? { as } : {}) };

    it(`sends ${name} once while the answer is slow, sees why it failed, loses nothing, and can send it again`, async () => {
      await open(target, async (page) => {
        await action.fill(page);
        const button = page.getByRole("button", { name: action.button, exact: true });
        const held: Route[] = [];
        const hold = async (route: Route) => {
          if (route.request().method() === "GET") await route.fallback();
          else held.push(route);
        };
        await page.route(CALLS, hold);
        await button.click();
        const busy = page.getByRole("button", { name: action.sending, exact: true });
        await busy.waitFor();
        await page.keyboard.press("Enter");
        await busy.dispatchEvent("click");
        await expect.poll(() => held.length).toBe(1);
        // In words that no trouble below uses.
        const error = { code: "refused", message: "No, not today." };
        await held[0]?.fulfill({ status: 400, json: { success: false, error } });
        await told(page, action).filter({ hasText: error.message }).waitFor();
        expect(held).toHaveLength(1);
        await page.unroute(CALLS, hold);
        const [refused, unanswered = UNANSWERED] = action.failed ?? [];
        const troubles = Object.entries({
          ...TROUBLES,
          ...(refused && {
            "is refused": { meet: REFUSED, says: new RegExp(`^${refused}$`, "m") },
          }),
        });
        for (const [trouble, { meet, says }] of troubles) {
          let isMet = false;
          const answer = async (route: Route) => {
            await meet(route);
            isMet ||= route.request().method() !== "GET";
          };
          await page.route(CALLS, answer);
          await button.click();
          await expect.poll(() => isMet, { message: trouble }).toBe(true);
          const hasText = says === UNANSWERED ? unanswered : says;
          const said = told(page, action).filter({ hasText });
          // The previous trouble's message may still be showing.
          await expect.poll(() => said.count(), { message: trouble, timeout: 10_000 }).toBe(1);
          await expect.poll(() => button.isEnabled(), { message: trouble }).toBe(true);
          const [label, value] = action.kept;
          const field = page.getByLabel(label, { exact: true }).first();
          expect(await field.inputValue(), trouble).toBe(value);
          await page.unroute(CALLS, answer);
        }
      });
    });
  }

  for (const [name, reading] of Object.entries(READINGS))
    it(`is told that ${name} could not be loaded, and loads it with a button`, async () => {
      await open(reading, async (page) => {
        for (const [trouble, { meet, says }] of Object.entries(TROUBLES)) {
          await page.route(CALLS, meet);
          await page.reload();
          const said = alerts(page).filter({ hasText: says }).first();
          await said.waitFor();
          expect(await page.getByText(reading.content).count(), trouble).toBe(0);
          await page.unroute(CALLS, meet);
          // Each part that failed to load has its own button.
          const again = page.getByRole("button", { name: "Try again" });
          for (let left = await again.count(); left > 0; left -= 1) await again.first().click();
          await page.getByText(reading.content).first().waitFor();
        }
      });
    });

  it("is told that search is unavailable, and gets the results automatically, without losing input", async () => {
    await open({ path: "/search" }, async (page) => {
      const query = page.getByLabel("Name, title or location");
      await query.fill("delgado");
      const searches = "**/prod/api/reports/search**";
      await page.route(searches, (route) =>
        route.fulfill({
          status: 503,
          headers: { "retry-after": "1" },
          json: { success: false, error: { code: "unavailable", message: "" } },
        }),
      );
      await query.press("Enter");
      const told = alerts(page).filter({ hasText: "This page will try again automatically" });
      await told.waitFor();
      await query.fill("typed meanwhile");
      await page.unroute(searches);
      await page.getByRole("heading", { name: /^[1-9]\d* reports? found$/ }).waitFor();
      await told.waitFor({ state: "detached" });
      expect(await query.inputValue()).toBe("typed meanwhile");
    });
  });
});
