import type { Screen } from "./screen.ts";
import { all, answer, cut, goTo, openFirstReport, press, type, until } from "./screen-acts.ts";

const NOWHERE = "00000000-0000-4000-8000-000000000009";

/** Makes an account's pages wait for data that never arrives. */
const waiting = {
  as: "owner",
  waits: true,
  before: (page) => page.route("**/prod/api/account/**", () => undefined),
  act: (page) => page.getByText("Loading", { exact: true }).waitFor({ state: "attached" }),
} satisfies Partial<Screen>;

/** The site's pages while loading, with nothing found and on failure, and after success. */
export const TROUBLE_SCREENS: readonly Screen[] = [
  {
    name: "terms-failed",
    path: "/",
    act: all(answer("content/*", 503), goTo("Terms of Service"), until("Failed to load this page")),
  },
  {
    name: "faq-failed",
    path: "/",
    act: all(answer("faq", 503), goTo("FAQ"), until("Failed to load this page")),
  },
  {
    name: "report-loading",
    path: "/search",
    waits: true,
    act: all(
      (page) => page.route("**/prod/api/**", () => undefined),
      openFirstReport,
      (page) => page.waitForTimeout(400),
    ),
  },
  {
    name: "report-failed",
    path: "/search",
    act: all(answer("reports/*", 503), openFirstReport, until("Failed to load report")),
  },
  {
    name: "home-failed",
    path: "/faq",
    act: all(
      answer("reports/recent", 503),
      answer("habitual-offenders", 503),
      answer("figures", 503),
      goTo("Home"),
      until("We couldn't load the newest reports"),
    ),
  },
  {
    name: "offenders-failed",
    path: "/search",
    act: all(
      answer("habitual-offenders/all", 503),
      goTo("View All Offenders"),
      until("We couldn't load this list"),
    ),
  },
  { name: "dashboard-loading", path: "/dashboard", ...waiting },
  { name: "own-report-loading", path: "{own}", ...waiting },
  {
    name: "own-report-failed",
    path: "{own}",
    as: "owner",
    before: cut("account/reports/*/open"),
    act: until("We couldn't open your report"),
  },
  {
    name: "own-report-unknown",
    path: `/dashboard/reports/${NOWHERE}`,
    as: "owner",
    act: until("Report not found"),
  },
  {
    name: "account-settings-failed",
    path: "/account-settings",
    as: "owner",
    before: all(cut("auth/sessions"), cut("auth/preferences")),
    act: all(
      until("We couldn't load your sessions"),
      until("We couldn't load your notification settings"),
    ),
  },
  {
    name: "register-failed",
    path: "/register",
    act: all(
      cut("auth/register"),
      type({
        "field-first_name": "Rae",
        "field-last_name": "Holt",
        "field-email": "rae@shop.example",
        "field-password": "Correct-horse-9",
        "field-confirmPassword": "Correct-horse-9",
      }),
      press("Create Account"),
      (page) => page.getByRole("alert").first().waitFor(),
    ),
  },
  {
    name: "unsubscribe-failed",
    path: "/unsubscribe/no-such-token",
    act: all(cut("unsubscribe/*"), press("Unsubscribe"), until("We couldn't save this")),
  },
  {
    name: "unsubscribed",
    path: "/unsubscribe/no-such-token",
    act: all(
      answer("unsubscribe/*", 200, { data: { scope: "decisions", wanted: false } }),
      press("Unsubscribe"),
      until("Unsubscribed"),
    ),
  },
];
