import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { useDataProvider } from "react-admin";
import { isEnded, JOBS, type Job, type JobLine, type JobStarted } from "#contracts/http/jobs.ts";
import { messageOf } from "../data/api-error.ts";
import type { ConsoleDataProvider } from "../data/console-data-provider.ts";

/** Milliseconds between two looks at a job. */
const EVERY_MS = 700;

export interface FollowedJob {
  /** Whether the server is being asked to begin. */
  readonly starting: boolean;
  /** As it was last seen, with all lines; undefined before the first look. */
  readonly job: Job | undefined;
  /** Whether the job has begun, even if nobody has looked at it yet. */
  readonly isBegun: boolean;
  /** Why it was not begun, not stopped, or cannot be seen. */
  readonly failure: string | undefined;
  /** Whether one is asked for, or has begun and not ended. */
  readonly isBusy: boolean;
  /**
   * Follows the job that `ask` begins; undefined where it begins none.
   * @param notBegun what a refusal follows, for instance "Nothing was changed".
   */
  readonly begin: (
    ask: () => Promise<{ data: JobStarted } | undefined>,
    notBegun: string,
  ) => Promise<void>;
  /** Follows a job that has begun already. */
  readonly follow: (id: string) => void;
  readonly stop: () => Promise<void>;
}

/**
 * Begins a job, and follows it to its end.
 * @param changed the lists that are read again at its end.
 */
export function useJob(changed: readonly string[]): FollowedJob {
  const provider = useDataProvider<ConsoleDataProvider>();
  const queryClient = useQueryClient();
  const [starting, setStarting] = useState(false);
  const [id, setId] = useState<string>();
  const [job, setJob] = useState<Job>();
  const [failure, setFailure] = useState<string>();
  const changes = useRef(changed);

  useEffect(() => {
    if (!id) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isLeft = false;
    let lines: readonly JobLine[] = [];
    const look = async () => {
      try {
        const seen = await provider.openJob(id, lines.at(-1)?.number ?? 0);
        if (isLeft) return;
        lines = [...lines, ...seen.lines];
        setJob({ ...seen, lines: [...lines] });
        setFailure(undefined);
        if (isEnded(seen.state) && lines.length >= seen.done) {
          await Promise.all(
            changes.current.map((key) => queryClient.invalidateQueries({ queryKey: [key] })),
          );
          return;
        }
      } catch (error) {
        if (isLeft) return;
        setFailure(`Can't load progress: ${messageOf(error, "Connection failed")}`);
      }
      timer = setTimeout(() => void look(), EVERY_MS);
    };
    void look();
    return () => {
      isLeft = true;
      clearTimeout(timer);
    };
  }, [id, provider, queryClient]);

  return {
    starting,
    job,
    isBegun: id !== undefined,
    isBusy: starting || (id !== undefined && !(job && isEnded(job.state))),
    failure,
    async begin(ask, notBegun) {
      setStarting(true);
      setFailure(undefined);
      try {
        const begun = await ask();
        if (begun === undefined) return;
        setJob(undefined);
        setId(begun.data.job_id);
      } catch (error) {
        setFailure(`${notBegun}: ${messageOf(error, "Unknown error occurred")}`);
      } finally {
        setStarting(false);
      }
    },
    follow: setId,
    async stop() {
      if (!id) return;
      try {
        await provider.command(`${JOBS}/${encodeURIComponent(id)}/stop`);
      } catch (error) {
        setFailure(`Couldn't stop it: ${messageOf(error, "Unknown error occurred")}`);
      }
    },
  };
}
