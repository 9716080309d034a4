import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { streams } from "#contracts/events/index.ts";
import { subjects } from "#contracts/sealed.ts";
import { createMemoryEventStore } from "#event-store/testing/memory-event-store.ts";
import { accountRegistered, link } from "#test-kit/account-events.ts";
import { EventWriter } from "#test-kit/event-writer.ts";
import { KeyMissing, registryCodec } from "#vault/sealing/event-codec.ts";
import { createMemoryKeyStore } from "#vault/testing/memory-key-store.ts";
import { assertOwnLog } from "./own-log.ts";

const ACCOUNT = "0b0f5b6e-6f0e-4a6e-9d5c-2f7f6f3f1a01";

async function logWithAnAccount() {
  const [store, keys] = [createMemoryEventStore(), createMemoryKeyStore()];
  const writer = new EventWriter(store, keys);
  await writer.startLog();
  await writer.append(streams.user(ACCOUNT), [accountRegistered({ link: link(randomUUID()) })]);
  return { store, keys };
}

describe("the log at startup", () => {
  it("is refused if its keys belong to another registry", async () => {
    const { store } = await logWithAnAccount();
    const foreign = assertOwnLog(store, createMemoryKeyStore(), registryCodec);
    await expect(foreign).rejects.toThrow(KeyMissing);
  });

  it("is refused even if it begins with events whose key has the same name in every registry", async () => {
    const [store, keys, theirs] = [
      createMemoryEventStore(),
      createMemoryKeyStore(),
      createMemoryKeyStore(),
    ];
    const writer = new EventWriter(store, keys);
    await writer.append("security-2026-11", [
      { type: "SignInFailed", data: { cause: "unknown_account", security: { email: "a@b.test" } } },
    ]);
    await theirs.ensure([{ subject: subjects.security("2026-11") }]);
    // So far, it could be theirs.
    await assertOwnLog(store, theirs, registryCodec);
    await writer.append(streams.user(ACCOUNT), [accountRegistered({ link: link(randomUUID()) })]);
    await expect(assertOwnLog(store, theirs, registryCodec)).rejects.toThrow(KeyMissing);
  });

  it("is accepted with its keys, even if the first of them is destroyed", async () => {
    const { store, keys } = await logWithAnAccount();
    await assertOwnLog(store, keys, registryCodec);
    await keys.destroy([subjects.account(ACCOUNT)], new Date().toISOString());
    await assertOwnLog(store, keys, registryCodec);
  });

  it("is accepted while it is empty or contains nothing sealed", async () => {
    const store = createMemoryEventStore();
    await assertOwnLog(store, createMemoryKeyStore(), registryCodec);
    await new EventWriter(store, createMemoryKeyStore()).startLog();
    await assertOwnLog(store, createMemoryKeyStore(), registryCodec);
  });
});
