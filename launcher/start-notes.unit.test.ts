import { expect, it } from "vitest";
import { startNotes } from "./services.ts";

const url = "http://127.0.0.1:3000";

it("a start with real reports at its own address prints no notes", () => {
  expect(startNotes({ url, publicUrl: url, samples: false })).toEqual([]);
});

it("a start names a different public address", () => {
  expect(startNotes({ url, publicUrl: "https://registry.example", samples: false })).toEqual([
    "Public:   https://registry.example (in emails and canonical links)",
  ]);
});

it("a start mentions sample reports, how to remove them and how to start without them", () => {
  const text = startNotes({ url, publicUrl: url, samples: true }).join("\n");
  expect(text).toMatch(/^Samples: .*some of the reports are made up$/m);
  expect(text).toMatch(/npm run sample:clear removes them/);
  expect(text).toMatch(/SAMPLE_DATA=none .*there are none/);
});
