import type { ProcessorHealth } from "#services/projector/daemon/processor.ts";

/**
 * Whether a processor that works in this process has not applied the log up to `head`. One that
 * stands by has no position: another process brings its tables up to date.
 */
export function isBehind(
  health: readonly Pick<ProcessorHealth, "state" | "position">[],
  head: string,
): boolean {
  return health.some(({ state, position }) => state !== "standby" && (position ?? "") < head);
}
