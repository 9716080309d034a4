import { expect, it } from "vitest";
import { mailKinds } from "./mail-kinds.ts";
import { mailTitle } from "./mail-titles.ts";

it("calls a mail as its template is called", () => {
  expect(mailTitle("two_factor_reset_told")).toBe("To admins: second factor reset");
});

it("gives each kind, with a template or without, a title of its own", () => {
  const titles = Object.keys(mailKinds).map(mailTitle);
  expect(new Set(titles).size).toBe(titles.length);
  expect(mailTitle("settings_changed")).toBe("To admins: settings changed");
});

it("names a kind that is known no more by its code", () => {
  expect(mailTitle("greeting_card")).toBe("Greeting card");
  expect(mailTitle("to_string")).toBe("To string");
  expect(mailTitle("constructor")).toBe("Constructor");
});
