import { expect, it } from "vitest";
import type { KeptBackup } from "#contracts/http/backups.ts";
import type { Job } from "#contracts/http/jobs.ts";
import { checkWords, makerWords, sizeWords, stateWords } from "./backup-words.ts";

const backup: KeptBackup = {
  name: "registry-1",
  bytes: 1,
  state: "opens",
  key_versions: [2],
  current_key: true,
};

it("says whether a backup opens, and with which key", () => {
  const words = (fields: Partial<KeptBackup>) => stateWords({ ...backup, ...fields });
  expect(words({})).toBe("Opens with the current key (version 2)");
  expect(words({ key_versions: [1, 2], current_key: false })).toBe(
    "Opens with a previous key (version 1 and 2)",
  );
  expect(words({ state: "other_key", key_versions: [1] })).toBe("Needs master key version 1");
  const broken = ["no_keys", "no_archive", "unreadable", "mismatched"] as const;
  expect(broken.map((state) => words({ state }))).toEqual([
    "Keys missing",
    "Archive missing",
    "Can't be read",
    "Archive and keys don't match",
  ]);
});

it("says who asked for it and how large it is", () => {
  expect(
    [true, false, undefined].map((by_hand) =>
      makerWords({ ...(by_hand === undefined ? {} : { by_hand }) }),
    ),
  ).toEqual(["By hand", "Scheduled", "Unknown"]);
  expect([0, 999, 12_400, 1_250_000_000].map(sizeWords)).toEqual([
    "0 bytes",
    "999 bytes",
    "12.4 kB",
    "1.3 GB",
  ]);
});

it("says what a check does, and what it has come to", () => {
  const job = (fields: Partial<Job>) => fields as Job;
  expect(checkWords("registry-1", undefined)).toBe("Verifying registry-1");
  expect(checkWords("registry-1", job({ state: "done" }))).toBe(
    "registry-1 is whole and can be restored.",
  );
  const error = { code: "unavailable", message: "The archive a.tar.zst is cut off." };
  expect(checkWords("registry-1", job({ state: "failed", error }))).toBe(
    "Couldn't verify registry-1: The archive a.tar.zst is cut off.",
  );
  expect(checkWords(undefined, job({ state: "running" }))).toBe("Checking which backups are kept");
  expect(checkWords(undefined, job({ state: "done" }))).toBe("The list is up to date.");
});
