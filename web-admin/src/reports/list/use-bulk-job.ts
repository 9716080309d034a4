import { useDataProvider } from "react-admin";
import type { BulkBody } from "#contracts/http/jobs.ts";
import type { ConsoleDataProvider } from "../../data/console-data-provider.ts";
import { type FollowedJob, useJob } from "../../shared/use-job.ts";
import { type Proof, useProof } from "../../shared/use-proof.tsx";

export interface BulkJob extends Omit<FollowedJob, "begin" | "follow"> {
  readonly start: (body: BulkBody) => Promise<void>;
  /** Asks for the password where many reports need it. */
  readonly dialog: Proof["dialog"];
}

/** Begins a bulk decision, and follows it to its end. Then the screens read again what it has changed. */
export function useBulkJob(): BulkJob {
  const provider = useDataProvider<ConsoleDataProvider>();
  const { begin, follow: _, ...job } = useJob(["reports", "audit-logs"]);
  const proof = useProof();
  return {
    ...job,
    start: (body) => begin(() => proof.run(() => provider.startBulk(body)), "Nothing was changed"),
    dialog: proof.dialog,
  };
}
