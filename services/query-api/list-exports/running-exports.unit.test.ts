import { expect, it } from "vitest";
import { RunningExports } from "./list-exports.routes.ts";

it("allows one export per account and only a few in total", () => {
  const running = new RunningExports();
  const end = running.begin("a");
  expect(() => running.begin("a")).toThrow("Another export of yours is running");
  running.begin("b");
  running.begin("c");
  expect(() => running.begin("d")).toThrow("Others are exporting");
  end();
  running.begin("d");
  // Ending a finished export again doesn't end another.
  const again = new RunningExports();
  const first = again.begin("a");
  first();
  again.begin("a");
  first();
  expect(() => again.begin("a")).toThrow();
});
