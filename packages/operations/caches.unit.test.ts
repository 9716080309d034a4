import { expect, it } from "vitest";
import { Caches } from "./request-table.ts";

it("empties every cache and returns how many entries they held", () => {
  const caches = new Caches();
  const maps = [
    new Map([[1, 1]]),
    new Map([
      [1, 1],
      [2, 2],
    ]),
  ];
  for (const map of maps)
    caches.add({
      clear() {
        const { size } = map;
        map.clear();
        return size;
      },
    });
  expect(caches.clear()).toBe(3);
  expect(caches.clear()).toBe(0);
});
