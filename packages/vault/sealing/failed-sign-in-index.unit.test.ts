import { expect, it } from "vitest";
import { blindIndex, failedSignInIndex } from "./hashes.ts";

const key = Buffer.alloc(32, 7);
const account = "11111111-1111-4111-8111-111111111111";

it("is the same for the same account and month, and different for any other", () => {
  const index = failedSignInIndex(key, account);
  expect(index).toMatch(/^[\w-]{43}$/);
  expect(failedSignInIndex(Buffer.from(key), account)).toBe(index);
  expect(failedSignInIndex(key, account.replace("1", "2"))).not.toBe(index);
  expect(failedSignInIndex(Buffer.alloc(32, 8), account)).not.toBe(index);
});

it("does not use the sealing key itself", () => {
  expect(failedSignInIndex(key, account)).not.toBe(blindIndex(key, "account_id", account));
});
