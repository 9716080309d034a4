import { describe, expect, it } from "vitest";
import { get } from "../testing/get-page.ts";

const PAGES = [
  ["/login", "Sign In", ["email", "password"]],
  [
    "/register",
    "Create Account",
    [
      "first_name",
      "last_name",
      "email",
      "phone",
      "company_name",
      "website",
      "password",
      "confirmPassword",
    ],
  ],
  ["/forgot-password", "Reset your password", ["email"]],
  ["/reset-password/token-of-a-mail", "Reset your password", ["password", "confirmPassword"]],
  ["/reset-password/token-of-a-mail?invited", "Set your password", ["password", "confirmPassword"]],
  ["/sign-in-link/token-of-a-mail", "Sign in on this device", []],
  ["/change-email/token-of-a-mail", "New email address", []],
  ["/undo-email-change/token-of-a-mail", "Recover your account", []],
  ["/profile", "Profile", []],
  ["/dashboard", "Dashboard", []],
  ["/dashboard/reports/5b0b7f3e-0000-4000-8000-000000000001", "My Report", []],
  ["/account-settings", "Account Settings", []],
] as const;

describe("a server-rendered account page", () => {
  it.each(PAGES)(
    "%s makes no registry calls it doesn't need and is hidden from search engines",
    async (url, heading, fields) => {
      const { status, html, calls, errors } = await get(url);
      // Registering means accepting the terms in force.
      const read = url === "/register" ? ["/prod/api/site"] : [];
      expect([status, calls.map(({ path }) => path), errors]).toEqual([200, read, []]);
      expect(html).toContain(`>${heading}</h1>`);
      expect(html).toContain('<meta name="robots" content="noindex"/>');
      expect(html).toContain("Accounts need JavaScript.");
      expect([...html.matchAll(/<input[^>]* name="(\w+)"/g)].map(([, name]) => name)).toEqual(
        fields,
      );
    },
  );

  it("has forms that put nothing into the URL and wait for the page's scripts", async () => {
    for (const [url, , fields] of PAGES) {
      if (fields.length === 0) continue;
      const form = /<form.*<\/form>/s.exec((await get(url)).html)?.[0] ?? "";
      expect(form).toMatch(/^<form[^>]* method="post"/);
      expect(form).toMatch(/<button(?=[^>]* type="submit")(?=[^>]* disabled)/);
    }
  });

  it("tells browsers which kind of password each field expects", async () => {
    expect((await get("/login")).html).toMatch(
      /<input(?=[^>]* name="password")[^>]*autoComplete="current-password"/,
    );
    const { html } = await get("/register");
    expect(html.match(/autoComplete="new-password"/g)).toHaveLength(2);
    expect(html).toMatch(/<input(?=[^>]* name="email")[^>]*autoComplete="username"/);
  });

  it("shows the three steps of a reset, with the emailed link opening the second", async () => {
    const steps = async (url: string) =>
      /<li aria-current="step">([^<]+)/.exec((await get(url)).html)?.[1];
    expect(await steps("/forgot-password")).toBe("Request Reset");
    expect(await steps("/reset-password/token-of-a-mail")).toBe("Enter New Password");
  });
});

describe("the server-rendered header", () => {
  it("is a visitor's: product, chip, search, report, login and access", async () => {
    const { html } = await get("/terms");
    const header = /<header.*<\/header>/s.exec(html)?.[0] ?? "";
    expect(header).toContain(">Professional<");
    const main = /<nav aria-label="Main".*?<\/nav>/s.exec(header)?.[0] ?? "";
    expect([...main.matchAll(/href="([^"]+)"[^>]*>([^<]+)/g)].map((link) => link.slice(1))).toEqual(
      [
        ["/search", "Search"],
        ["/report", "Report"],
        ["/login", "Login"],
        ["/register", "Get Access"],
      ],
    );
    expect(header).not.toContain("Logout");
  });

  it("has a menu that opens without JavaScript", async () => {
    const { html } = await get("/terms");
    expect(html).toMatch(/<button[^>]*popoverTarget="site-menu"/i);
    const drawer = /<nav id="site-menu" popover="auto".*?<\/nav>/s.exec(html)?.[0] ?? "";
    for (const words of ["Search Database", "Report Abuse", "Login", "Get Access"]) {
      expect(drawer).toContain(`>${words}</a>`);
    }
  });

  it("hides what is only for visitors before the first paint if the browser has a session", async () => {
    const { html } = await get("/");
    const [head] = html.split("<body>");
    expect(head).toMatch(/<script nonce="n0nce">try\{if\(localStorage\.token\)/);
  });
});
