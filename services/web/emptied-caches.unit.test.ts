import { expect, it } from "vitest";
import { Caches } from "#operations/request-table.ts";
import { emptiesCaches } from "./apps.ts";

it("clears the caches once per admin request, and logs how many entries were removed", () => {
  const logged: unknown[] = [];
  const caches = new Caches();
  caches.add({ clear: () => 3 });
  const follow = emptiesCaches(caches, { info: (fields: unknown) => logged.push(fields) } as never);
  for (const emptied of ["a", "a", "b"]) follow({ emptied });
  expect(logged).toEqual([{ removed: 3 }, { removed: 3 }]);
  // The request is removed after an hour.
  follow({});
  follow({ emptied: "b" });
  expect(logged).toHaveLength(2);
});
