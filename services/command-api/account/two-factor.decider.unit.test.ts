import { describe, expect, it } from "vitest";
import type { UserEvent } from "#contracts/events/index.ts";
import { evolveAccount } from "#contracts/events/user/account-fold.ts";
import { accountAdded, accountClosed, sessionsEnded } from "#test-kit/account-events.ts";
import { givenFor } from "#test-kit/decider.ts";
import { decideAccount } from "./account.decider.ts";
import {
  newRecoveryCodes,
  newTotpSecret,
  recoveryCodeHash,
  totpStep,
  totpUri,
} from "./factor-codes.ts";

const moment = { now: "2026-11-22T10:00:00.000Z", newId: "11111111-1111-4111-8111-111111111111" };
const givenNothing = givenFor({ decide: decideAccount, evolve: evolveAccount, moment });
const given = (...events: UserEvent[]) => givenNothing(accountAdded(), ...events);

const factorId = "22222222-2222-4222-8222-222222222222";
const codesId = "33333333-3333-4333-8333-333333333333";
const otherCodes = "44444444-4444-4444-8444-444444444444";
const own = { id: "55555555-5555-4555-8555-555555555555", accountRevision: 0 };
const enabled: UserEvent = {
  type: "TwoFactorEnabled",
  data: { factor_id: factorId, method: "totp", codes_id: codesId, recovery_codes: 10 },
};
const disabled: UserEvent = { type: "TwoFactorDisabled", data: { factor_id: factorId } };
const ended = (kept?: string) => sessionsEnded("two_factor_changed", kept);
const used = (code: number): UserEvent => ({
  type: "RecoveryCodeUsed",
  data: { codes_id: codesId, code },
});
const replaced: UserEvent = {
  type: "RecoveryCodesReplaced",
  data: { codes_id: otherCodes, recovery_codes: 10 },
};

const enable = { type: "EnableTwoFactor", own, factorId, codesId } as const;
const disable = { type: "DisableTwoFactor", own } as const;
const replace = { type: "ReplaceRecoveryCodes", own, codesId: otherCodes } as const;
const spend = (code: number, accountRevision = 1) =>
  ({ type: "UseRecoveryCode", codesId, code, accountRevision }) as const;

describe("two-factor authentication", () => {
  it("can be turned on once, and off again; the session that did it stays", () => {
    given().when(enable).gives(enabled, ended(own.id));
    given(enabled).when(enable).isRefused("two_factor_on");
    given(enabled, disabled).when(enable).gives(enabled, ended(own.id));
    given(enabled).when(disable).gives(disabled, ended(own.id));
    given().when(disable).isRefused("two_factor_off");
  });

  it("can replace its recovery codes only while it is on", () => {
    given(enabled).when(replace).gives(replaced);
    given().when(replace).isRefused("two_factor_off");
  });

  it("cannot be changed from a session that has since ended", () => {
    for (const command of [enable, disable, replace])
      given(ended()).when(command).isRefused("invalid_token");
    given(ended(own.id)).when(enable).gives(enabled, ended(own.id));
  });
});

describe("resetting another account's second factor", () => {
  const command = { type: "ResetTwoFactor", by: "admin", told: ["t"] } as const;
  const reset = (data: object) =>
    ({ type: "TwoFactorReset", data: { factor_id: factorId, ...data } }) as UserEvent;
  const why = { ...command, reason: "Lost phone" } as const;

  it("turns it off and ends all sessions; the event records whom to notify and why", () => {
    const told = { told: ["t"], account: { reason: "Lost phone" } };
    given(enabled).when(why).gives(reset(told), ended());
    given(enabled)
      .when({ ...command, by: "operator", told: [] })
      .gives(reset({}), ended());
  });

  it("is not allowed for one's own account", () => {
    given(enabled)
      .when({ ...why, by: "self" })
      .isRefused("forbidden");
  });

  it("requires an account with a second factor", () => {
    given().when(why).isRefused("two_factor_off");
    given(enabled, disabled).when(why).isRefused("two_factor_off");
    givenNothing().when(why).isRefused("account_not_found");
    const closed = accountClosed("admin", "2026-11-23T10:00:00.000Z");
    given(enabled, closed).when(why).isRefused("account_not_found");
    given(enabled, { type: "AccountErased", data: {} }).when(why).isRefused("account_not_found");
  });
});

describe("a recovery code", () => {
  it("works once, from the current set", () => {
    given(enabled).when(spend(3)).gives(used(3));
    given(enabled, used(3)).when(spend(3)).isRefused("wrong_code");
    given(enabled, used(3)).when(spend(4)).gives(used(4));
    given(enabled, replaced).when(spend(3)).isRefused("wrong_code");
    given(enabled, disabled).when(spend(3)).isRefused("wrong_code");
    given().when(spend(3)).isRefused("wrong_code");
  });

  it("does not work if sessions were ended after the password was verified", () => {
    given(enabled, ended()).when(spend(3, 1)).isRefused("wrong_code");
    given(enabled, ended()).when(spend(3, 2)).gives(used(3));
  });

  it("is 80 random bits, and has the same hash however it is typed", () => {
    const codes = newRecoveryCodes();
    expect(new Set(codes).size).toBe(10);
    const hash = (code: string, id = "a") =>
      recoveryCodeHash((field, value) => `${field} ${value}`, id, code);
    expect(hash("0o1i-lL01-ABCD-EFGH")).toBe(hash("0011 1101 abcd efgh"));
    expect(hash("A", "a")).not.toBe(hash("A", "b"));
  });
});

describe("an authenticator's code", () => {
  // RFC 6238, appendix B: SHA-1, the last six of eight digits.
  const secret = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ";

  it.each([
    [59, "287082", 1],
    [1_111_111_109, "081804", 37_037_036],
    [20_000_000_000, "353130", 666_666_666],
  ])("matches RFC 6238 at %i seconds, and is accepted one step early or late", (at, code, step) => {
    for (const moved of [-30, 0, 30])
      expect(totpStep(secret, code, (at + moved) * 1000)).toBe(step);
    for (const moved of [-60, 60])
      expect(totpStep(secret, code, (at + moved) * 1000)).toBeUndefined();
    expect(totpStep(secret, `${code.slice(0, 3)} ${code.slice(3)}`, at * 1000)).toBe(step);
  });

  it("is six digits and nothing else", () => {
    for (const wrong of ["", "28708", "2870822", "28708x", "２８７０８２"])
      expect(totpStep(secret, wrong, 59_000)).toBeUndefined();
  });

  it("comes from 160 random bits, which an app reads from a URI", () => {
    const made = newTotpSecret();
    expect(made).toMatch(/^[A-Z2-7]{32}$/);
    expect(newTotpSecret()).not.toBe(made);
    expect(totpUri(made, "The Registry", "a+b@c.example")).toBe(
      `otpauth://totp/The%20Registry:a%2Bb%40c.example?issuer=The%20Registry&secret=${made}&algorithm=SHA1&digits=6&period=30`,
    );
  });
});
