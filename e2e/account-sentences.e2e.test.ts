import type { Page, Route } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { register } from "./support/account-forms.ts";
import { findChromium, NO_BROWSER } from "./support/browser.ts";
import { type Site, sharedSite } from "./support/site.ts";
import { skipWhere } from "./support/skip-where.ts";

const executable = findChromium();
const PASSWORD = "Correct-horse-9";

let site: Site;
let page: Page;

beforeAll(async () => {
  if (!executable) return;
  site = await sharedSite();
  page = await site.openTab();
});

type Fields = Readonly<Record<string, string>>;

async function fill(fields: Fields): Promise<void> {
  for (const [label, value] of Object.entries(fields))
    await page.getByLabel(label, { exact: true }).fill(value);
}

const press = (button: string) => page.getByRole("button", { name: button, exact: true }).click();

/** What a page says is wrong with its fields, from top to bottom. */
const problems = async () => {
  const texts = await page.locator('[id$="-problem"]').allTextContents();
  return texts.map((text) => text.replace(/^Error: /, ""));
};

const RESET = "/reset-password/token-of-a-mail";

/** What is typed on a page, its button, and what it then says of its fields. */
const WRONG: readonly (readonly [string, Fields, string, readonly string[]])[] = [
  ["/login", {}, "Sign In", ["Email is required", "Password is required"]],
  ["/login", { Email: "rae@", Password: "x" }, "Sign In", ["Please enter a valid email"]],
  [
    "/register",
    { Email: "rae@", Password: "correct-horse", "Confirm password": "correct-horsf" },
    "Create Account",
    [
      "First name is a required field",
      "Last name is a required field",
      "Please enter a valid email",
      "Password must contain at least one uppercase letter, one lowercase letter, and one number",
      "Passwords must match",
    ],
  ],
  ["/forgot-password", {}, "Send Reset Link", ["Please enter your email address"]],
  [RESET, {}, "Set New Password", ["Please fill in all fields", "Please fill in all fields"]],
  [
    RESET,
    { "New password": "Short-1", "Confirm new password": "Short-2" },
    "Set New Password",
    ["Password must be at least 8 characters long", "Passwords do not match"],
  ],
];

interface Form {
  readonly path: string;
  readonly fields: Fields;
  readonly button: string;
  /** For a refusal that has no sentence. */
  readonly refused: string;
  /** When nothing answers. */
  readonly unanswered: string;
  /** Pressed before its fields are there. */
  readonly opens?: string;
}

const FORMS: readonly Form[] = [
  {
    path: "/login",
    fields: { Email: "rae@account-sentences.example", Password: PASSWORD },
    button: "Sign In",
    refused: "Login failed",
    unanswered: "Login failed. Check your connection and try again.",
  },
  {
    path: "/register",
    fields: {
      "First name": "Rae",
      "Last name": "Holt",
      Email: "rae@account-sentences.example",
      Password: PASSWORD,
      "Confirm password": PASSWORD,
    },
    button: "Create Account",
    refused: "Registration failed",
    unanswered: "Registration failed. Check your connection and try again.",
  },
  {
    path: "/forgot-password",
    fields: { Email: "rae@account-sentences.example" },
    button: "Send Reset Link",
    refused: "Failed to send reset email",
    unanswered: "Failed to send reset email. Please try again.",
  },
  {
    path: RESET,
    fields: { "New password": PASSWORD, "Confirm new password": PASSWORD },
    button: "Set New Password",
    refused: "Failed to reset password",
    unanswered: "Failed to reset password. The link may be invalid or expired.",
  },
];

const PROFILE: Form = {
  path: "/profile",
  opens: "Edit Profile",
  fields: { "Job title (optional)": "Owner" },
  button: "Save",
  refused: "Profile update failed",
  unanswered: "Failed to update profile. Please try again.",
};

/** Answers what a form sends. Reads still reach the registry. */
async function answering<T>(
  answer: (route: Route) => Promise<void>,
  act: () => Promise<T>,
): Promise<T> {
  const meet = (route: Route) =>
    route.request().method() === "GET" ? route.continue() : answer(route);
  await page.route("**/prod/api/**", meet);
  try {
    return await act();
  } finally {
    await page.unroute("**/prod/api/**", meet);
  }
}

const json = (status: number, body: object) => (route: Route) =>
  route.fulfill({ status, json: body });
const nothing = (route: Route) => route.abort("connectionreset");

/** Sends a form that is filled in, reads the banner, and dismisses it. */
async function said(form: Form, answer: (route: Route) => Promise<void>): Promise<string> {
  return answering(answer, async () => {
    await press(form.button);
    const banner = page.getByRole("alert");
    await banner.waitFor();
    const text = await banner.innerText();
    await press("Dismiss");
    await banner.waitFor({ state: "detached" });
    return text;
  });
}

async function saysItsSentences(form: Form): Promise<void> {
  await site.show(page, form.path);
  if (form.opens) await press(form.opens);
  await fill(form.fields);
  const bare = { success: false };
  expect(await said(form, json(400, bare))).toBe(form.refused);
  expect(await said(form, json(400, { ...bare, error: { message: "No, not today." } }))).toBe(
    "No, not today.",
  );
  expect(await said(form, nothing)).toBe(form.unanswered);
  expect(page.url()).toBe(site.url(form.path));
}

describe("what the pages of an account say", () => {
  skipWhere(executable ? undefined : NO_BROWSER);

  it.each(WRONG)("%s, filled in as %j, says what is wrong", async (path, fields, button, says) => {
    await site.show(page, path);
    await fill(fields);
    await press(button);
    await expect.poll(problems).toEqual(says);
  });

  it.each(FORMS)(
    "$path says the server's sentence, else its own, and stays where it is",
    saysItsSentences,
  );

  it("the profile does the same, and says when the answer has no profile", async () => {
    await site.show(page, "/register");
    await register(page, "rae@account-sentences.example", PASSWORD);
    await page.waitForURL(site.url("/dashboard"));
    await saysItsSentences(PROFILE);
    expect(await said(PROFILE, json(200, { success: true }))).toBe("Failed to update profile");
    expect(await page.getByLabel("Job title (optional)").inputValue()).toBe("Owner");
  });
});
