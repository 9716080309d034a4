import { beforeEach } from "vitest";

/**
 * Skips the tests of its block, with a reason for the run's summary.
 * @param absent why they can't run here; undefined if they can.
 */
export function skipWhere(absent: string | undefined): void {
  beforeEach((context) => {
    if (absent) context.skip(absent);
  });
}
