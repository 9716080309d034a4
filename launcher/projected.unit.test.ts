import { expect, it } from "vitest";
import { isLagging } from "./services.ts";

it("waits for the positions of its own processors, but not for those of others", () => {
  const own = { state: "live", position: "07" } as const;
  const standby = { state: "standby", position: null } as const;
  expect(isLagging([own, standby], "07")).toBe(false);
  expect(isLagging([standby], "07")).toBe(false);
  expect(isLagging([own, standby], "08")).toBe(true);
  expect(isLagging([{ state: "starting", position: null }], "01")).toBe(true);
});
