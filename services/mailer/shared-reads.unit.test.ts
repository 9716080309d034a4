import { expect, it } from "vitest";
import type { ReadTemplate } from "#mail-templates/active-template.ts";
import { shareKeyReads, shareTemplateReads } from "#mail-templates/writing/mail-renderer.ts";
import type { KeyLookup } from "#vault/keys/key-store.ts";

const template = (id: string): ReadTemplate => ({ id, text: { subject: "s", body: "b" } as never });

it("emails waiting for a kind's template share a read that begins after they asked", async () => {
  const reads: PromiseWithResolvers<ReadTemplate | undefined>[] = [];
  const kinds: string[] = [];
  const read = shareTemplateReads((kind) => {
    kinds.push(kind);
    const answer = Promise.withResolvers<ReadTemplate | undefined>();
    reads.push(answer);
    return answer.promise;
  });
  const first = read("verification");
  await Promise.resolve();
  await Promise.resolve();
  expect(reads).toHaveLength(1);
  // Another template is activated now, so the read in flight is too old for these.
  const later = [read("verification"), read("verification")];
  const other = read("approved");
  reads[0]?.resolve(template("former"));
  expect(await first).toEqual(template("former"));
  await expect.poll(() => reads.length).toBe(3);
  expect(kinds.toSorted()).toEqual(["approved", "verification", "verification"]);
  for (const each of reads.slice(1)) each.resolve(template("present"));
  expect(await Promise.all([...later, other])).toEqual([1, 2, 3].map(() => template("present")));
});

it("emails written together share a read of their keys, and each gets its own", async () => {
  const asked: (readonly string[])[] = [];
  const keys = shareKeyReads({
    async get(subjects) {
      asked.push(subjects);
      return new Map<string, KeyLookup>(
        subjects.map((each) => [each, { state: "destroyed", at: each }]),
      );
    },
  });
  const [one, two] = await Promise.all([keys.get(["a", "b"]), keys.get(["b", "c"])]);
  expect(asked).toEqual([["a", "b", "c"]]);
  expect([...one.keys()]).toEqual(["a", "b"]);
  expect([...two.keys()]).toEqual(["b", "c"]);
  expect(two.get("c")).toEqual({ state: "destroyed", at: "c" });
});
