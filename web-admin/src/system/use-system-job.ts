import { useEffect } from "react";
import { useDataProvider } from "react-admin";
import { isEnded, JOBS, type JobStarted, type JobSummary } from "#contracts/http/jobs.ts";
import type { SystemActionBody } from "#contracts/http/system.ts";
import { SYSTEM_ACTIONS_PATH } from "#contracts/system/actions.ts";
import type { ConsoleDataProvider } from "../data/console-data-provider.ts";
import { useJob } from "../shared/use-job.ts";
import { useProof } from "../shared/use-proof.tsx";
import { useRead } from "../shared/use-read.ts";

/**
 * Begins work with the whole registry and follows it; what runs already is followed immediately.
 * @param isOurs whether a job of this kind is followed.
 */
export function useSystemJob(isOurs: (kind: string) => boolean) {
  const provider = useDataProvider<ConsoleDataProvider>();
  const proof = useProof();
  const { begin, follow, ...job } = useJob(["system", "audit-logs"]);
  const recent = useRead<{ jobs: readonly JobSummary[] }>(["system", "jobs"], `${JOBS}?of=system`);
  const running = recent.data?.jobs?.find(({ kind, state }) => isOurs(kind) && !isEnded(state))?.id;
  useEffect(() => {
    if (!job.isBegun && running) follow(running);
  }, [job.isBegun, running, follow]);
  return {
    ...job,
    /** The newest jobs of the page. */
    recent,
    /** @param notBegun what a refusal follows. */
    start: (body: SystemActionBody, notBegun: string) =>
      begin(
        () => proof.run(() => provider.command<JobStarted>(SYSTEM_ACTIONS_PATH, body)),
        notBegun,
      ),
    /** Asks for the password where the server wants it. */
    dialog: proof.dialog,
  };
}
