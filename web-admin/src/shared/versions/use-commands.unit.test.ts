import { expect, it } from "vitest";
import { ADMIN_TEMPLATES } from "#contracts/http/admin-templates.ts";
import { urlOf } from "./use-commands.ts";

it("a URL stays under its base, whatever its parts are", () => {
  expect(urlOf(ADMIN_TEMPLATES, "../users", "1/2")).toBe(`${ADMIN_TEMPLATES}/..%2Fusers/1%2F2`);
});
