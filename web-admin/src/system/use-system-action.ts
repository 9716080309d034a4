import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useDataProvider } from "react-admin";
import { isEnded, type JobSummary } from "#contracts/http/jobs.ts";
import type { SystemActionName } from "#contracts/system/actions.ts";
import type { ConsoleDataProvider } from "../data/console-data-provider.ts";
import { type FollowedJob, useJob } from "../shared/use-job.ts";
import { type Proof, useProof } from "../shared/use-proof.tsx";
import { actionName, isSystemAction } from "./action-words.ts";

export interface RunningAction extends Pick<FollowedJob, "isBusy" | "job" | "failure" | "stop"> {
  /** What was begun last, here or before the page was opened. */
  readonly action: SystemActionName | undefined;
  /** The newest jobs of the page, and why they could not be read again. */
  readonly recent: readonly JobSummary[];
  readonly recentError: Error | null;
  readonly start: (action: SystemActionName) => void;
  /** Asks for the password where the server wants it. */
  readonly dialog: Proof["dialog"];
}

/** Begins an action of the system and follows it; one that runs already is followed at once. */
export function useSystemAction(): RunningAction {
  const provider = useDataProvider<ConsoleDataProvider>();
  const proof = useProof();
  const [action, setAction] = useState<SystemActionName>();
  const { begin, follow, isBegun, ...job } = useJob(["system", "audit-logs"]);
  const { data: recent = [], error } = useQuery({
    queryKey: ["system", "jobs"],
    queryFn: () => provider.newestJobs("system"),
  });
  const running = recent.find(({ kind, state }) => isSystemAction(kind) && !isEnded(state));
  useEffect(() => {
    if (isBegun || !running || !isSystemAction(running.kind)) return;
    setAction(running.kind);
    follow(running.id);
  }, [isBegun, running, follow]);
  return {
    ...job,
    action,
    recent,
    recentError: error,
    dialog: proof.dialog,
    start(name) {
      setAction(name);
      void begin(
        () => proof.run(() => provider.startAction({ action: name })),
        `Failed to ${actionName(name).toLowerCase()}`,
      );
    },
  };
}
