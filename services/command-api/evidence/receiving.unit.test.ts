import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { MIN_SPEED, SlotLost, SPEED_WINDOW_MS, UploadSlots } from "./file-bodies.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A file whose bytes arrive as the test sends them. */
function slowFile() {
  const stream = new TransformStream<Uint8Array, Uint8Array>(
    {},
    { highWaterMark: 1000 },
    { highWaterMark: 1000 },
  );
  const writer = stream.writable.getWriter();
  return {
    content: stream.readable,
    send: (bytes: number) => writer.write(Buffer.alloc(bytes)),
    end: () => writer.close(),
  };
}

function begin(receiving: UploadSlots, network: string, attempt?: string) {
  const file = slowFile();
  let state = "arriving";
  const result = receiving
    .run({ network, attempt }, (read) => read(file.content))
    .then((bytes) => {
      state = `${bytes.length} bytes`;
    })
    .catch((error) => {
      state = error instanceof SlotLost ? "gave way" : error.message;
    });
  return { ...file, result, state: () => state };
}

const later = (ms: number) => vi.advanceTimersByTimeAsync(ms);
const FULL = /Too many files are being uploaded/;

describe("places for incoming files", () => {
  it("are limited to eight in total and three per network", async () => {
    const receiving = new UploadSlots();
    const files = ["a", "a", "a", "b", "b", "b", "c", "c"].map((n) => begin(receiving, n));
    const [fourth, ninth] = [begin(receiving, "a"), begin(receiving, "d")];
    await later(0);
    expect(fourth.state()).toMatch(FULL);
    expect(ninth.state()).toMatch(FULL);
    for (const file of files) expect(file.state()).toBe("arriving");
    await files[0]?.end();
    await later(0);
    expect(files[0]?.state()).toBe("0 bytes");
    const next = begin(receiving, "d");
    await later(0);
    expect(next.state()).toBe("arriving");
  });

  it("are kept by slow files while no one else needs them", async () => {
    const receiving = new UploadSlots();
    const slow = Array.from({ length: 3 }, () => begin(receiving, "a"));
    for (let n = 0; n < 11; n += 1) {
      for (const file of slow) await file.send(100);
      await later(SPEED_WINDOW_MS);
    }
    const other = begin(receiving, "b");
    await later(0);
    for (const file of [...slow, other]) expect(file.state()).toBe("arriving");
    await slow[0]?.end();
    await later(0);
    expect(slow[0]?.state()).toBe("1100 bytes");
  });

  it("are taken from three slow networks after ten seconds", async () => {
    const receiving = new UploadSlots();
    const held = ["a", "a", "a", "b", "b", "b", "c", "c"].map((n) => begin(receiving, n));
    await later(SPEED_WINDOW_MS - 1);
    const early = begin(receiving, "d");
    await later(1);
    expect(early.state()).toMatch(FULL);
    const others = [begin(receiving, "d"), begin(receiving, "e"), begin(receiving, "f")];
    await later(0);
    for (const other of others) expect(other.state()).toBe("arriving");
    const left = held.filter(({ state }) => state() === "gave way");
    expect(left).toHaveLength(3);
    // The networks with the most places gave way, and not just one of them.
    expect(left).not.toContain(held[6]);
    expect(left).not.toContain(held[7]);
  });

  it("are taken from the slowest file, never from a fast one", async () => {
    const receiving = new UploadSlots();
    const files = ["a", "b", "c", "d", "e", "f", "g", "h"].map((n) => begin(receiving, n));
    for (const [index, file] of files.entries())
      await file.send(index === 5 ? 10 : index === 6 ? 20 : MIN_SPEED);
    await later(SPEED_WINDOW_MS);
    const next = [begin(receiving, "i"), begin(receiving, "j"), begin(receiving, "k")];
    await later(0);
    expect(files.map(({ state }) => state()).indexOf("gave way")).toBe(5);
    expect(files[6]?.state()).toBe("gave way");
    expect(files.filter(({ state }) => state() === "gave way")).toHaveLength(2);
    expect(next.map(({ state }) => state())).toEqual([
      "arriving",
      "arriving",
      expect.stringMatching(FULL),
    ]);
  });

  it("are shared: a network that fills them with fast files gives one up to another network", async () => {
    const receiving = new UploadSlots();
    const files = ["a", "a", "a", "b", "b", "b", "c", "c"].map((n) => begin(receiving, n));
    for (const file of files) await file.send(2 * MIN_SPEED);
    await later(SPEED_WINDOW_MS);
    const next = begin(receiving, "d");
    await later(0);
    expect(next.state()).toBe("arriving");
    expect(files.slice(0, 6).filter(({ state }) => state() === "gave way")).toHaveLength(1);
  });

  it("are taken by a network at its limit only from its own files, and only slow ones", async () => {
    const receiving = new UploadSlots();
    const own = Array.from({ length: 3 }, () => begin(receiving, "a"));
    const other = begin(receiving, "b");
    await own[0]?.send(2 * MIN_SPEED);
    await own[1]?.send(2 * MIN_SPEED);
    await later(SPEED_WINDOW_MS);
    const next = begin(receiving, "a");
    await later(0);
    expect(own.map(({ state }) => state())).toEqual(["arriving", "arriving", "gave way"]);
    expect(other.state()).toBe("arriving");
    expect(next.state()).toBe("arriving");
    const further = begin(receiving, "a");
    await later(0);
    expect(further.state()).toMatch(FULL);
  });

  it("are not taken from a file that has arrived and is being checked", async () => {
    const receiving = new UploadSlots();
    const checks = Promise.withResolvers<string>();
    const checked = Array.from({ length: 3 }, () => {
      const file = slowFile();
      void file.end();
      return receiving.run({ network: "a" }, async (read) => {
        await read(file.content);
        return checks.promise;
      });
    });
    await later(3 * SPEED_WINDOW_MS);
    const next = begin(receiving, "a");
    await later(0);
    expect(next.state()).toMatch(FULL);
    checks.resolve("stored");
    expect(await Promise.all(checked)).toEqual(["stored", "stored", "stored"]);
  });

  it("are limited even for repeated attempts, since a file that has arrived still uses memory", async () => {
    const receiving = new UploadSlots();
    const checks = Promise.withResolvers<string>();
    const checked: Promise<string>[] = [];
    for (let n = 0; n < 3; n += 1) {
      const file = slowFile();
      void file.end();
      const work = receiving.run({ network: "a", attempt: "file" }, async (read) => {
        await read(file.content);
        return checks.promise;
      });
      checked.push(work);
      await later(0);
    }
    const again = begin(receiving, "a", "file");
    await later(0);
    expect(again.state()).toMatch(FULL);
    checks.resolve("stored");
    expect(await Promise.all(checked)).toEqual(["stored", "stored", "stored"]);
  });

  it("are passed on immediately to another attempt to send the same file", async () => {
    const receiving = new UploadSlots();
    const first = [1, 2, 3].map((n) => begin(receiving, "a", `file ${n}`));
    const again = begin(receiving, "a", "file 2");
    await later(0);
    expect(first.map(({ state }) => state())).toEqual(["arriving", "gave way", "arriving"]);
    expect(again.state()).toBe("arriving");
  });
});
