import { expect, it } from "vitest";
import { accountInitial, accountName } from "./session-store.ts";
import { ADMIN } from "./testing/sessions.ts";

it("names an account by its name, or else by its email, and shows an initial", () => {
  expect(accountName(ADMIN)).toBe("Dana Ruiz");
  expect(accountName({ ...ADMIN, first_name: "", last_name: "" })).toBe(ADMIN.email);
  expect(accountInitial(ADMIN)).toBe("D");
  expect(accountInitial({ first_name: " ", email: "zoe@x.example" })).toBe("Z");
  expect(accountInitial({ first_name: "", email: "" })).toBe("A");
  expect(accountInitial({ first_name: "𝔇ana", email: "" })).toBe("𝔇");
});
