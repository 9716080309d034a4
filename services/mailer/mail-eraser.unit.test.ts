import { randomUUID } from "node:crypto";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { streams } from "#contracts/events/index.ts";
import { subjects } from "#contracts/sealed.ts";
import { createMemoryEventStore } from "#event-store/testing/memory-event-store.ts";
import { EventWriter } from "#test-kit/event-writer.ts";
import {
  reportDeleted,
  reportErased,
  reporterErased,
  reportSubmitted,
  textMasked,
} from "#test-kit/report-events.ts";
import { createMemoryKeyStore } from "#vault/testing/memory-key-store.ts";
import { MailEraser } from "./mail-eraser.ts";

function setUp() {
  const store = createMemoryEventStore();
  const writer = new EventWriter(store, createMemoryKeyStore());
  const disk = { isFull: false };
  const done: string[] = [];
  const error = vi.fn();
  const act = async (what: string) => {
    if (disk.isFull) throw Object.assign(new Error("no"), { code: "EROFS" });
    done.push(what);
  };
  const eraser = new MailEraser({
    store,
    transport: {
      forget: (id, until) => act(until === undefined ? id : `${id} until ${until}`),
    },
    log: { error },
    retry: { minMs: 1, maxMs: 5 },
  });
  const ending = new AbortController();
  const running = eraser.run(ending.signal);
  onTestFinished(async () => {
    ending.abort();
    await running;
    await store.close();
  });
  const deleteReport = async (id: string = randomUUID()) => {
    await writer.append(streams.report(id), [reportSubmitted(), reportDeleted(), reportErased()]);
    return id;
  };
  return { eraser, disk, done, error, deleteReport, writer };
}

describe("the mail eraser", () => {
  it("recovers by itself after failures, and is not ready until then", async () => {
    const { eraser, disk, done, error, deleteReport } = setUp();
    const first = await deleteReport();
    await expect.poll(() => done).toEqual([first]);
    await expect.poll(() => eraser.check()).toEqual({ ok: true });
    disk.isFull = true;
    const second = await deleteReport();
    await expect.poll(() => eraser.check()).toEqual({ ok: false, detail: { cause: "EROFS" } });
    await expect.poll(() => error.mock.calls.length).toBeGreaterThan(2);
    disk.isFull = false;
    await expect.poll(() => done).toEqual([first, second]);
    await expect.poll(() => eraser.check()).toEqual({ ok: true });
  });

  it("removes the emails about an erased notice", async () => {
    const { done, writer } = setUp();
    const id = randomUUID();
    const sender = { name: "Ann", email: "ann@acme.example", answers: [] };
    await writer.append(streams.notice(id), [
      { type: "NoticeReceived", data: { kind: "takedown", sender } },
      { type: "NoticeErased", data: { by: "retention" } },
    ]);
    await expect.poll(() => done).toEqual([id]);
  });

  it("removes the emails to an erased reporter", async () => {
    const { done, writer } = setUp();
    const id = randomUUID();
    await writer.append(streams.report(id), [reportSubmitted(), reporterErased()]);
    await expect.poll(() => done).toEqual([id]);
  });

  it("removes emails from before a masking, and keeps later ones", async () => {
    const { done, writer } = setUp();
    const id = randomUUID();
    const masked = textMasked(subjects.text(id, 0), { title: "****" });
    await writer.append(streams.report(id), [reportSubmitted(), masked]);
    await expect.poll(() => done).toEqual([`${id} until 1`]);
  });

  it("is not ready until it has handled the first deletion", async () => {
    const { eraser, disk, done, error, deleteReport } = setUp();
    disk.isFull = true;
    const id = await deleteReport();
    await expect.poll(() => error.mock.calls.length).toBeGreaterThan(1);
    expect(eraser.check().ok).toBe(false);
    disk.isFull = false;
    await expect.poll(() => done).toEqual([id]);
  });
});
