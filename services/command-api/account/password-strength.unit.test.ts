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
  ])("is refused with advice if it is easy to guess: %s", (password) => {
    expect(strength.problem(password, owner)).toMatch(/^[A-Z][^.]+\.( [A-Z][^.]+\.)*$/);
  });

  it.each(["Tr0ub4dor&3", "Correct-horse-9", "Лампа свет 4", "kQ3vT9xLm2Zp"])(
    "is accepted if it is hard to guess, with only the characters that the rule requires: %s",
    (password) => {
      expect(strength.problem(password, owner)).toBeUndefined();
    },
  );

  it("must not contain words about its owner, though another account may use them", () => {
    const password = "Tolliverton2024";
    expect(strength.problem(password, owner)).toMatch(/^Don't use your name/);
    const other = { role: "user", email: "rae@shop.example" } as const;
    expect(strength.problem(password, other)).toBeUndefined();
  });

  it("must first of all have letters and a number", () => {
    expect(strength.problem("correct horse battery", owner)).toBe(PASSWORD_LETTERS);
  });

  it("needs twelve characters for a staff account", () => {
    for (const role of ["admin", "auditor"] as const) {
      expect(strength.problem("Tr0ub4dor&3", { ...owner, role })).toBe(PASSWORD_STAFF);
      expect(strength.problem("Tr0ub4dor&33", { ...owner, role })).toBeUndefined();
    }
  });

  it("is judged by its first 32 characters, however long it is", () => {
    const check = vi.spyOn(ZxcvbnFactory.prototype, "check");
    onTestFinished(() => check.mockRestore());
    const [weak, strong] = ["a".repeat(20), "kQ3vT9xLm2Zp"];
    expect(strength.problem(`${weak}${strong}${weak.repeat(40)}`, owner)).toBeUndefined();
    expect(strength.problem(`${weak}aaaaaaaaaaaa${strong.repeat(60)}`, owner)).toBeDefined();
    const estimated = check.mock.calls.map(([password]) => password);
    expect(estimated).toEqual([`${weak}${strong}`, "a".repeat(32)]);
  });
});
