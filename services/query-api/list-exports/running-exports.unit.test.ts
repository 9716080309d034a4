import { expect, it } from "vitest";
import { RunningExports } from "./list-exports.routes.ts";

it("lets an account run one export at a time, and only a few accounts at once", () => {
  const running = new RunningExports();
  const end = running.begin("a");
  expect(() => running.begin("a")).toThrow("Another export of yours is running");
  running.begin("b");
  running.begin("c");
  expect(() => running.begin("d")).toThrow("Others are exporting");
  end();
  running.begin("d");
  // The end of one that is over ends no other.
  const again = new RunningExports();
  const first = again.begin("a");
  first();
  again.begin("a");
  first();
  expect(() => again.begin("a")).toThrow();
});
