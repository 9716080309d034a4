import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { useDataProvider } from "react-admin";
import type { BulkBody } from "#contracts/http/bulk.ts";
import { isEnded, type Job, type JobLine } from "#contracts/http/jobs.ts";
import { messageOf } from "../../data/api-error.ts";
import type { ConsoleDataProvider } from "../../data/console-data-provider.ts";

/** Milliseconds between two looks at a job. */
const EVERY_MS = 700;

export interface BulkJob {
  /** Whether the server is being asked to begin. */
  readonly starting: boolean;
  /** As it was last seen, with all lines; undefined before the first look. */
  readonly job: Job | undefined;
  /** Whether the job has begun, even if nobody has looked at it yet. */
  readonly isBegun: boolean;
  /** Why it was not begun, not stopped, or cannot be seen. */
  readonly failure: string | undefined;
  readonly start: (body: BulkBody) => Promise<void>;
  readonly stop: () => Promise<void>;
}

/** Begins a bulk decision, and follows it to its end. Then the screens read again what it has changed. */
export function useBulkJob(): BulkJob {
  const provider = useDataProvider<ConsoleDataProvider>();
  const queryClient = useQueryClient();
  const [starting, setStarting] = useState(false);
  const [id, setId] = useState<string>();
  const [job, setJob] = useState<Job>();
  const [failure, setFailure] = useState<string>();
  const lines = useRef<JobLine[]>([]);

  useEffect(() => {
    if (!id) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isLeft = false;
    const look = async () => {
      try {
        const seen = await provider.openJob(id, lines.current.at(-1)?.number ?? 0);
        if (isLeft) return;
        lines.current = [...lines.current, ...seen.lines];
        setJob({ ...seen, lines: lines.current });
        setFailure(undefined);
        if (isEnded(seen.state) && lines.current.length >= seen.done) {
          await Promise.all([
            queryClient.invalidateQueries({ queryKey: ["reports"] }),
            queryClient.invalidateQueries({ queryKey: ["audit-logs"] }),
          ]);
          return;
        }
      } catch (error) {
        if (isLeft) return;
        setFailure(`The progress cannot be seen: ${messageOf(error, "Connection failed")}`);
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
    failure,
    async start(body) {
      setStarting(true);
      setFailure(undefined);
      try {
        setId(await provider.startBulk(body));
      } catch (error) {
        setFailure(`Nothing was changed: ${messageOf(error, "Unknown error occurred")}`);
      } finally {
        setStarting(false);
      }
    },
    async stop() {
      if (!id) return;
      try {
        await provider.stopJob(id);
      } catch (error) {
        setFailure(`It was not stopped: ${messageOf(error, "Unknown error occurred")}`);
      }
    },
  };
}
