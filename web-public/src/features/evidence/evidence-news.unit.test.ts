import { expect, it } from "vitest";
import { outcomeText, skippedText } from "./EvidenceSection.tsx";

const upload = { id: "any", secret: "any", type: "image/jpeg", size: 9 } as const;
const PROGRESS = {
  waiting: { state: "waiting" },
  sending: { state: "sending", share: 0.5 },
  checking: { state: "checking" },
  broken: { state: "broken" },
  stored: { state: "stored", upload },
  failed: { state: "failed", problem: "This file is empty. Choose another one.", retryable: false },
} as const;

const said = (...states: (keyof typeof PROGRESS)[]) =>
  outcomeText(
    states.map((state, key) => ({
      key,
      name: `${key}.jpg`,
      bytes: 9,
      file: new File(["any"], "any"),
      progress: PROGRESS[state],
    })),
  );

it("doesn't report a file as added before it was", () => {
  for (const state of ["waiting", "sending", "checking", "broken"] as const)
    expect(said("stored", state)).toBe("Uploading files…");
  expect(said("failed", "failed")).toBe("2 files were not added.");
  expect(said("stored", "failed", "stored")).toBe("2 files were added. 1 file was not added.");
  expect(said()).toBe("");
});

it("says how many of the chosen files were left out", () => {
  expect(skippedText(0)).toBe("");
  expect(skippedText(1)).toBe("1 file wasn't added. A report can have up to 10 files.");
});
