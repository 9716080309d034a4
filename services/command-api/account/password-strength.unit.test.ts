import { ZxcvbnFactory } from "@zxcvbn-ts/core";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { PASSWORD_LETTERS, PASSWORD_STAFF } from "#contracts/account/password-rule.ts";
import { PasswordStrength } from "./password-strength.ts";

const strength = new PasswordStrength("Chargeback Registry");
const owner = {
  role: "user",
  email: "j.tolliverton@gadgetorium.example",
  first_name: "Quillon",
  last_name: "Tolliverton-Vexley",
  company: "Gadgetorium LLC",
  phone: "+1 (555) 010-7788",
} as const;

describe("a new password", () => {
  it.each([
    "Password1!",
    "Welcome1!",
    "P@ssw0rd1!",
    "Qwerty123456",
    "Aaaaaaaaaa1",
    "January2024",
    "Chargeback1!",
    "ChargebackRegistry1",
    "Tolliverton1!",
    "Vexley2026!",
    "Tolliverton-Vexley7",
    "Quillon123!",
    "Gadgetorium1",
    "15550107788Aa",
  ])("is refused with advice when it is easy to guess: %s", (password) => {
    expect(strength.problem(password, owner)).toMatch(/^[A-Z][^.]+\.( [A-Z][^.]+\.)*$/);
  });

  it.each(["Tr0ub4dor&3", "Correct-horse-9", "Лампа свет 4", "kQ3vT9xLm2Zp"])(
    "is accepted when it is not, with no other sign than the rule demands: %s",
    (password) => {
      expect(strength.problem(password, owner)).toBeUndefined();
    },
  );

  it("is no word of its owner, though others may have it", () => {
    const password = "Tolliverton2024";
    expect(strength.problem(password, owner)).toMatch(/^Don't use your name/);
    const other = { role: "user", email: "rae@shop.example" } as const;
    expect(strength.problem(password, other)).toBeUndefined();
  });

  it("has letters and a number first of all", () => {
    expect(strength.problem("correct horse battery", owner)).toBe(PASSWORD_LETTERS);
  });

  it("has twelve characters where the account is one of staff", () => {
    for (const role of ["admin", "auditor"] as const) {
      expect(strength.problem("Tr0ub4dor&3", { ...owner, role })).toBe(PASSWORD_STAFF);
      expect(strength.problem("Tr0ub4dor&33", { ...owner, role })).toBeUndefined();
    }
  });

  it("is estimated by its first 32 characters, however long it is", () => {
    const check = vi.spyOn(ZxcvbnFactory.prototype, "check");
    onTestFinished(() => check.mockRestore());
    const [weak, strong] = ["a".repeat(20), "kQ3vT9xLm2Zp"];
    expect(strength.problem(`${weak}${strong}${weak.repeat(40)}`, owner)).toBeUndefined();
    expect(strength.problem(`${weak}aaaaaaaaaaaa${strong.repeat(60)}`, owner)).toBeDefined();
    const estimated = check.mock.calls.map(([password]) => password);
    expect(estimated).toEqual([`${weak}${strong}`, "a".repeat(32)]);
  });
});
