import { beforeEach } from "vitest";

/**
 * Skips the tests of the block that it is in, so that the run's summary says why.
 * @param absent why they cannot run here; undefined when they can.
 */
export function skipWhere(absent: string | undefined): void {
  beforeEach((context) => {
    if (absent) context.skip(absent);
  });
}
