import { randomUUID } from "node:crypto";
import { mkdtemp, readFile, rm, stat, truncate, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Erasure, ErasureLedger, LedgerDamaged, LedgerUnavailable } from "./erasure-ledger.ts";

const AT = "2026-11-23T10:20:30.456Z";
const erasure = (number: number): Erasure => ({ subject: `account-${number}`, at: AT });

let folder: string;
let file: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), "registry-ledger-"));
  file = path.join(folder, "apart", "erasures");
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function all(ledger: ErasureLedger): Promise<Erasure[]> {
  const found: Erasure[] = [];
  for await (const each of ledger.read()) found.push(each);
  return found;
}

describe("the ledger of erasures", () => {
  it("is created with its first erasure, accessible only to its owner, and keeps the order", async () => {
    const ledger = new ErasureLedger(file);
    expect(await ledger.exists()).toBe(false);
    await ledger.record([]);
    expect(await ledger.exists()).toBe(false);
    await ledger.record([erasure(1), erasure(2)]);
    await new ErasureLedger(file).record([erasure(3)]);
    expect(await all(ledger)).toEqual([erasure(1), erasure(2), erasure(3)]);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  });

  it("is a single ledger when many create and write it concurrently", async () => {
    const numbers = Array.from({ length: 40 }, (_, number) => number);
    await Promise.all(numbers.map((number) => new ErasureLedger(file).record([erasure(number)])));
    const ledger = new ErasureLedger(file);
    const found = (await all(ledger)).map(({ subject }) => subject).sort();
    expect(found).toEqual(numbers.map((number) => `account-${number}`).sort());
  });

  it("ignores a line that a crash cut off, even after others follow it", async () => {
    const ledger = new ErasureLedger(file);
    await ledger.record([erasure(1), erasure(2)]);
    const { size } = await stat(file);
    await truncate(file, size - 20);
    expect(await all(ledger)).toEqual([erasure(1)]);
    await ledger.record([erasure(2), erasure(3)]);
    expect(await all(ledger)).toEqual([erasure(1), erasure(2), erasure(3)]);
  });

  it("keeps the last hiding of each report and account", async () => {
    const ledger = new ErasureLedger(file);
    expect((await ledger.hidings()).size).toBe(0);
    const [report, account] = [`report-${randomUUID()}`, `user-${randomUUID()}`];
    const hidden = { hidden: report, erase_at: AT, at: AT };
    const closed = { hidden: account, erase_at: AT, by_staff: true, at: AT };
    await ledger.record([hidden, erasure(1), closed, { ...hidden, erase_at: null }]);
    expect([...(await ledger.hidings()).values()]).toEqual([{ ...hidden, erase_at: null }, closed]);
    expect(await all(ledger)).toEqual([erasure(1)]);
    await writeFile(file, (await readFile(file, "utf8")).replace(account, "account-1"));
    await expect(ledger.hidings()).rejects.toThrow(LedgerDamaged);
  });

  it("rejects a changed line and a file that is not a ledger", async () => {
    const ledger = new ErasureLedger(file);
    await ledger.record([erasure(1), erasure(2)]);
    const text = await readFile(file, "utf8");
    await writeFile(file, text.replace('"subject":"account-1"', '"subject":"*"'));
    await expect(all(ledger)).rejects.toThrow(LedgerDamaged);
    await writeFile(file, "hosts: files dns\n");
    await expect(all(ledger)).rejects.toThrow(LedgerDamaged);
    await expect(ledger.mark()).rejects.toThrow("is not a ledger");
  });

  it("knows whether it continues from a mark", async () => {
    const ledger = new ErasureLedger(file);
    await ledger.record([erasure(1)]);
    const early = await ledger.mark();
    expect(await ledger.continues(early)).toBe(true);
    await ledger.record([erasure(2)]);
    const late = await ledger.mark();
    expect(late.bytes).toBeGreaterThan(early.bytes);
    for (const mark of [early, late]) expect(await ledger.continues(mark)).toBe(true);

    const older = path.join(folder, "older");
    await writeFile(older, (await readFile(file)).subarray(0, early.bytes));
    expect(await new ErasureLedger(older).continues(early)).toBe(true);
    expect(await new ErasureLedger(older).continues(late)).toBe(false);

    const other = new ErasureLedger(path.join(folder, "other"));
    expect(await other.continues(early)).toBe(false);
    await other.record([erasure(1), erasure(2)]);
    expect(await other.continues(early)).toBe(false);

    const changed = (await readFile(file, "utf8")).replace("account-1", "account-7");
    await writeFile(file, changed);
    expect(await ledger.continues(early)).toBe(false);
  });

  it("reports that it cannot be written, without the path", async () => {
    await writeFile(path.join(folder, "apart"), "a file in the way");
    const failed = new ErasureLedger(file).record([erasure(1)]);
    await expect(failed).rejects.toThrow(LedgerUnavailable);
    await expect(failed).rejects.not.toThrow(folder);
  });
});
