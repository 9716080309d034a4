import { explainFailure as explainByCause } from "#runtime/lifecycle/explain-failure.ts";
import { Refusal } from "#runtime/lifecycle/refusal.ts";
import { RebuildFailed } from "#services/projector/rebuild-failed.ts";

/** Explains why the system can't start or continue: in a sentence if the cause is known, else with the stack. */
export function explainFailure(error: unknown): string {
  // An error during cleanup wraps the one that caused it.
  if (error instanceof SuppressedError) return explainFailure(error.suppressed);
  if (error instanceof RebuildFailed) return `Nothing was rebuilt: ${error.message}.`;
  return error instanceof Refusal ? error.message : explainByCause(error, "registry");
}
