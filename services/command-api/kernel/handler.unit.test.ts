import { describe, expect, it } from "vitest";
import { type EventStore, StoreUnavailable } from "#event-store/port.ts";
import { createMemoryEventStore } from "#event-store/testing/memory-event-store.ts";
import { registryCodec } from "#vault/sealing/event-codec.ts";
import { createMemoryKeyStore } from "#vault/testing/memory-key-store.ts";
import type { SettingsCommand } from "../settings/settings.decider.ts";
import { settingsAggregate } from "../settings/settings.routes.ts";
import { type CommandEnvelope, newEnvelope, systemCaller } from "./envelope.ts";
import { CommandHandler } from "./handler.ts";

const caller = systemCaller("2026-11-28T12:00:00.000Z");
const change = (changes: SettingsCommand["changes"]): SettingsCommand => ({
  type: "ChangeSettings",
  changes,
  seen: undefined,
  admins: [],
});

function system(store: EventStore = createMemoryEventStore()) {
  const handler = new CommandHandler({
    store,
    keys: createMemoryKeyStore(),
    codec: registryCodec,
  });
  return {
    change: (
      changes: SettingsCommand["changes"],
      envelope: CommandEnvelope = newEnvelope(caller),
    ) => handler.execute(settingsAggregate, change(changes), envelope),
    async ids() {
      const ids: string[] = [];
      for await (const { id } of store.readAll()) ids.push(id);
      return ids;
    },
  };
}

describe("a command", () => {
  it("gets the original state when retried, and is stored once", async () => {
    const { change, ids } = system();
    const envelope = newEnvelope(caller);
    const first = await change({ eraseHours: 48 }, envelope);
    await change({ eraseHours: 72 });
    expect(await change({ eraseHours: 48 }, envelope)).toEqual({ ...first, repeated: true });
    expect(await ids()).toHaveLength(2);
  });

  it("is decided again if another one wins", async () => {
    const { change, ids } = system();
    await change({ eraseHours: 48 });
    await Promise.all([change({ eraseHours: 72 }), change({ backupKeep: 20 })]);
    const { state } = await change({ eraseHours: 96 });
    expect(state?.values).toMatchObject({ eraseHours: 96, backupKeep: 20 });
    expect(await ids()).toHaveLength(4);
  });

  it("is retried if its append gets no answer, and is stored once", async () => {
    const store = createMemoryEventStore();
    let silent = 2;
    const { change, ids } = system(
      new Proxy(store, {
        get(target, name) {
          if (name !== "append") return Reflect.get(target, name).bind?.(target);
          return async (...batch: Parameters<EventStore["append"]>) => {
            const stored = await target.append(...batch);
            if (silent-- > 0) throw new StoreUnavailable("no answer");
            return stored;
          };
        },
      }),
    );
    expect(await change({ eraseHours: 48 })).toMatchObject({ revision: 0, changed: true });
    expect(await ids()).toHaveLength(1);
  });
});
