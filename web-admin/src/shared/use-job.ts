import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { isEnded, JOBS, type Job, type JobStarted } from "#contracts/http/jobs.ts";
import { messageOf } from "../data/api-error.ts";
import { useProvider } from "./reads.ts";

const EVERY_MS = 700;

/** Whether a job has ended, and all its lines are here. */
const isSeen = ({ state, lines, done }: Job) => isEnded(state) && lines.length >= done;

/**
 * Begins a job, and follows it to its end.
 * @param changed the lists that are read again at its end.
 */
export function useJob(changed: readonly string[]) {
  const provider = useProvider();
  const queryClient = useQueryClient();
  const [starting, setStarting] = useState(false);
  const [id, setId] = useState<string>();
  const [refusal, setRefusal] = useState<string>();
  const [unseen, setUnseen] = useState<string>();
  const changes = useRef(changed);
  const queryKey = ["job", id];
  const { data: job } = useQuery({
    queryKey,
    async queryFn() {
      const before = queryClient.getQueryData<Job>(queryKey)?.lines ?? [];
      try {
        const seen = await provider.openJob(id ?? "", before.at(-1)?.number ?? 0);
        setUnseen(undefined);
        return { ...seen, lines: [...before, ...seen.lines] };
      } catch (error) {
        setUnseen(`Can't load progress: ${messageOf(error, "Connection failed")}`);
        throw error;
      }
    },
    enabled: id !== undefined,
    refetchInterval: ({ state: { data } }) => (data && isSeen(data) ? false : EVERY_MS),
    refetchIntervalInBackground: true,
    // It is looked at until its end, also where the browser takes itself for offline, and not after that.
    networkMode: "always",
    refetchOnReconnect: false,
    refetchOnWindowFocus: false,
    retry: false,
    gcTime: 0,
  });
  const isOver = job !== undefined && isSeen(job);
  useEffect(() => {
    if (!isOver) return;
    setRefusal(undefined);
    for (const key of changes.current) void queryClient.invalidateQueries({ queryKey: [key] });
  }, [isOver, queryClient]);

  return {
    /** Whether the server is being asked to begin. */
    starting,
    /** As it was last seen, with all lines; undefined before the first look. */
    job,
    /** Whether the job has begun, even if nobody has looked at it yet. */
    isBegun: id !== undefined,
    /** Whether one is asked for, or has begun and not ended. */
    isBusy: starting || (id !== undefined && !(job && isEnded(job.state))),
    /** Why it was not begun, not stopped, or cannot be seen. */
    failure: refusal ?? unseen,
    /**
     * Follows the job that `ask` begins.
     * @param notBegun what a refusal follows, for instance "Nothing was changed".
     */
    async begin(ask: () => Promise<{ data: JobStarted }>, notBegun: string) {
      setStarting(true);
      setRefusal(undefined);
      try {
        setId((await ask()).data.job_id);
      } catch (refused) {
        setRefusal(`${notBegun}: ${messageOf(refused, "Unknown error occurred")}`);
      } finally {
        setStarting(false);
      }
    },
    follow: setId,
    async stop() {
      if (!id) return;
      setRefusal(undefined);
      try {
        await provider.command(`${JOBS}/${encodeURIComponent(id)}/stop`);
      } catch (refused) {
        setRefusal(`Couldn't stop it: ${messageOf(refused, "Unknown error occurred")}`);
      }
    },
  };
}
