import { createHash } from "node:crypto";
import { expect, it } from "vitest";
import { seededRandom } from "#test-kit/random.ts";
import { history, REFUSED, type TestDisk } from "./testing/history.ts";
import { MemoryPlace } from "./testing/memory-place.ts";
import { memoryRegistry } from "./testing/memory-registry.ts";

const HISTORIES = 60;

async function newDisk(): Promise<TestDisk> {
  const place = new MemoryPlace();
  return {
    place,
    state: "well",
    async wipe(marker) {
      place.files.clear();
      if (marker) place.marker = undefined;
    },
    async contents() {
      const all = [...place.files].map(
        ([name, bytes]) => [name, createHash("sha256").update(bytes).digest("hex")] as const,
      );
      return new Map([...all, ...(place.marker ? ([["marker", place.marker]] as const) : [])]);
    },
  };
}

it(`${HISTORIES} random histories lose no good and recent backup`, {
  timeout: 240_000,
}, async () => {
  const random = seededRandom("Histories of backups in memory");
  const sum = { made: 0, refused: 0, killed: 0, removed: 0, unrotated: 0 };
  const seen = new Set<string>();
  for (let n = 0; n < HISTORIES; n += 1) {
    const outcome = await history({ newDisk, newRegistry: memoryRegistry }, random);
    for (const name of Object.keys(sum) as (keyof typeof sum)[]) sum[name] += outcome[name];
    for (const fault of outcome.seen) seen.add(fault);
  }
  console.log(`In them: ${JSON.stringify(sum)}`);
  expect(seen).toEqual(REFUSED);
  for (const [name, count] of Object.entries(sum)) expect(count, name).toBeGreaterThan(0);
});
