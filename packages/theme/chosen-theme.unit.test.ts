import { expect, it } from "vitest";
import { applyTheme, readTheme } from "./chosen-theme.ts";

it.each([
  [undefined, "system"],
  ["", "system"],
  ["theme=dark", "dark"],
  ["a=b; theme=light; c=d", "light"],
  ["theme=purple", "system"],
  ["theme=constructor", "system"],
  ["my-theme=dark", "system"],
])("reads from the cookies %j the theme %s", (cookies, theme) => {
  expect(readTheme(cookies)).toBe(theme);
});

it("applies a choice immediately and remembers it, until the system decides again", () => {
  const dataset: Record<string, string> = {};
  const page = { documentElement: { dataset }, location: { protocol: "https:" }, cookie: "" };
  applyTheme(page as unknown as Document, "dark");
  expect(dataset).toEqual({ theme: "dark" });
  expect(page.cookie).toBe("theme=dark; Path=/; SameSite=Lax; Max-Age=31536000; Secure");
  expect(readTheme(page.cookie)).toBe("dark");
  applyTheme(page as unknown as Document, "system");
  expect(dataset).toEqual({});
  expect(page.cookie).toContain("Max-Age=0");
});
