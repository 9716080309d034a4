import { expect, it } from "vitest";
import { ADMIN_TEMPLATES } from "#contracts/http/admin-templates.ts";
import { urlOf } from "./use-commands.ts";

it("an address keeps to its place, whatever is named below it", () => {
  expect(urlOf(ADMIN_TEMPLATES, "../users", "1/2")).toBe(`${ADMIN_TEMPLATES}/..%2Fusers/1%2F2`);
});
