import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { isEnded, JOBS, type Job, type JobStarted } from "#contracts/http/jobs.ts";
import { messageOf } from "../data/api-error.ts";
import { useProvider } from "./reads.ts";

const EVERY_MS = 700;

/** Whether a job has ended and all of its lines are loaded. */
const isSeen = ({ state, lines, done }: Job) => isEnded(state) && lines.length >= done;

/**
 * Starts a job and follows it to its end.
 * @param changed the lists to refetch when it ends.
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
    // Polled until it ends, even if the browser believes it is offline, and not after that.
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
    /** Whether the request to start is in flight. */
    starting,
    /** The latest known state, with all lines; undefined until first loaded. */
    job,
    /** Whether the job has started, even if its state is not loaded yet. */
    isBegun: id !== undefined,
    /** Whether a job is being started or is running. */
    isBusy: starting || (id !== undefined && !(job && isEnded(job.state))),
    /** Why it could not be started, stopped, or loaded. */
    failure: refusal ?? unseen,
    /**
     * Starts the job requested by `ask`, and follows it.
     * @param notBegun prefix of the error message, e.g. "Nothing was changed".
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
