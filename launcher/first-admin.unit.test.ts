import { expect, it } from "vitest";
import { PasswordStrength } from "#services/command-api/account/password-strength.ts";
import { makePassword } from "./first-admin.ts";

it("a generated password satisfies the password rules", () => {
  const strength = new PasswordStrength("Registry");
  const owner = { role: "admin", email: "admin@registry.local" } as const;
  for (let i = 0; i < 20; i += 1) expect(strength.problem(makePassword(), owner)).toBeUndefined();
});
