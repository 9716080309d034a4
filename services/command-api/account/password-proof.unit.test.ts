import { expect, it, vi } from "vitest";
import type { CommandHandler } from "../kernel/handler.ts";
import { browser } from "../testing/accounts.fixture.ts";
import type { Account } from "./account.store.ts";
import type { PasswordGuesses } from "./password-guesses.ts";
import { PasswordProof } from "./password-proof.ts";
import { verifyPassword } from "./passwords.ts";

vi.mock(import("#services/command-api/account/passwords.ts"), async (original) => ({
  ...(await original()),
  verifyPassword: vi.fn(async () => true),
}));

it.each([
  [true, "known"],
  [false, "stranger"],
] as const)(
  "takes a place that is kept for owners only with a confirmed address: %s",
  async (confirmed, by) => {
    const guesses = { count: async () => ({}), giveBack: async () => undefined };
    const proof = new PasswordProof({
      handler: {} as CommandHandler,
      guesses: guesses as unknown as PasswordGuesses,
      blind: () => "blind",
    });
    const account = { id: "a", confirmed, passwordHash: "hash" } as Account;
    await proof.check(account, "password", browser("2026-11-21T10:00:00.000Z"));
    expect(vi.mocked(verifyPassword)).toHaveBeenLastCalledWith("hash", "password", by);
  },
);
