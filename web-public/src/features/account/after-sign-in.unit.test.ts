import { describe, expect, it } from "vitest";
import { afterSignIn, isConsole, nextPage, signInFor, whySignIn } from "./after-sign-in.ts";

describe("after signing in", () => {
  it("users return to the page that needed an account", () => {
    const address = signInFor("/profile?edit=1", false);
    const next = nextPage(address.slice(address.indexOf("?")));
    expect(next).toBe("/profile?edit=1");
    expect(afterSignIn("admin", next)).toBe("/profile?edit=1");
  });

  it("without a page to return to, staff go to the console and others to their dashboard", () => {
    expect(afterSignIn("admin", undefined)).toBe("/admin");
    expect(afterSignIn("auditor", undefined)).toBe("/admin");
    expect(afterSignIn("user", undefined)).toBe("/dashboard");
  });

  it.each([
    "https://evil.example/",
    "//evil.example",
    "/\\evil.example",
    "/\t/evil.example",
    "\\\\evil.example",
    "javascript:alert(1)",
    "profile",
    "",
    "/login?next=/profile",
    "/register",
  ])("%j is not followed", (page) => {
    expect(nextPage(`?${new URLSearchParams({ next: page })}`)).toBeUndefined();
  });

  it("isConsole recognizes the console's pages", () => {
    expect(["/admin", "/admin/reports?x=1", "/admin?x"].map(isConsole)).toEqual([true, true, true]);
    expect(["/administration", "/", "/report/admin"].map(isConsole)).toEqual([false, false, false]);
  });

  it("the page says why the user must sign in", () => {
    const why = (page: string, ended = false) =>
      whySignIn(new URL(signInFor(page, ended), "http://x").search);
    expect(why("/admin/reports")).toBe("Sign in to open the back office.");
    expect(why("/profile")).toBe("Sign in to open this page.");
    expect(why("/profile", true)).toBe("Your session has ended. Sign in again.");
    expect(whySignIn("")).toBeUndefined();
  });
});
