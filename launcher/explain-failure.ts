import { explainFailure as explainByCause } from "#runtime/lifecycle/explain-failure.ts";
import { Refusal } from "#runtime/lifecycle/refusal.ts";
import { RebuildFailed } from "#services/projector/rebuild-failed.ts";

/**
 * Why the system does not start or go on, for the terminal: one sentence where the cause is known,
 * a stack where it is not.
 */
export function explainFailure(error: unknown): string {
  // An error of the clean-up wraps the one that led to it.
  if (error instanceof SuppressedError) return explainFailure(error.suppressed);
  if (error instanceof RebuildFailed) return `Nothing was rebuilt: ${error.message}.`;
  return error instanceof Refusal ? error.message : explainByCause(error, "registry");
}
