import { expect, it } from "vitest";
import { mailKinds } from "./mail-kinds.ts";
import { mailTitle } from "./mail-titles.ts";

it("gives an email the title of its template", () => {
  expect(mailTitle("two_factor_reset_told")).toBe("To admins: second factor reset");
});

it("gives each kind its own title, with or without a template", () => {
  const titles = Object.keys(mailKinds).map(mailTitle);
  expect(new Set(titles).size).toBe(titles.length);
  expect(mailTitle("settings_changed")).toBe("To admins: settings changed");
});

it("derives the title of an unknown kind from its code", () => {
  expect(mailTitle("greeting_card")).toBe("Greeting card");
  expect(mailTitle("to_string")).toBe("To string");
  expect(mailTitle("constructor")).toBe("Constructor");
});
