import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import { useNotify } from "react-admin";
import { QUEUE_FRONT, type Queue, type Taken } from "#contracts/http/queue.ts";
import { claimOn, queueQuery } from "../commands/CommandDialog.tsx";
import { takenByText } from "../commands/labels.ts";
import { onUndone } from "../commands/UndoOffer.tsx";
import { historyQuery, reportQuery } from "../record/OpenReport.tsx";
import { useProvider } from "../shared/reads.ts";

export type QueueView =
  | { readonly kind: "loading" }
  | { readonly kind: "failed"; readonly error: unknown }
  /** A report reserved for this moderator until then, RFC 3339. Each time one is shown is a new turn. */
  | { readonly kind: "report"; readonly id: string; readonly until: string; readonly turn: number }
  /** All open reports are with other moderators or were skipped. */
  | { readonly kind: "empty" };

export type QueueWork = ReturnType<typeof useQueue>;

/** Claims one report after another. While one is being decided, the record of its likely successor is preloaded. */
export function useQueue() {
  const provider = useProvider();
  const client = useQueryClient();
  const notify = useNotify();
  const [view, setView] = useState<QueueView>({ kind: "loading" });
  // Counts update live, but nothing is claimed automatically: the page may have been left open.
  const { data: queue } = useQuery(queueQuery(provider));
  /** In the order they were skipped. */
  const skipped = useRef(new Set<string>());
  /** Reports that undo shows again. */
  const decided = useRef(new Set<string>());
  /** Not shown again until the queue comes back without them: a response may be older than the decision. */
  const passed = useRef(new Set<string>());
  const held = useRef<string>(undefined);
  const ahead = useRef<Promise<Taken>>(undefined);
  /** Release in progress: no report is claimed before it ends. */
  const leaving = useRef<Promise<unknown>>(undefined);
  /** The run whose response counts, so that a page that was left claims nothing anymore. */
  const run = useRef(0);
  useEffect(() => {
    for (const id of passed.current) if (!queue?.reports.includes(id)) passed.current.delete(id);
  }, [queue]);

  const readAgain = () => client.invalidateQueries({ queryKey: ["queue"] });
  const known = () => client.getQueryData<Queue>(["queue"]);

  /** Returns what a queue has left for this moderator. */
  function leftOf({ reports, taken, to_decide }: Queue) {
    const others = new Set(taken.map(({ report_id }) => report_id));
    const open = reports.filter((id) => !skipped.current.has(id) && !passed.current.has(id));
    const free = open.filter((id) => !others.has(id));
    return {
      free,
      byOthers: open.length - free.length,
      skipped: skipped.current.size,
      /** Reports that are the moderator's own or name them; unknown (0) if the front of the queue is full. */
      concerning: reports.length < QUEUE_FRONT ? to_decide - reports.length : 0,
    };
  }
  function following() {
    const before = known();
    return before ? leftOf(before).free.filter((id) => id !== held.current) : [];
  }

  function show({ report_id: id, until }: NonNullable<Taken["taken"]>) {
    held.current = id;
    skipped.current.delete(id);
    setView({ kind: "report", id, until, turn: run.current });
    const [next] = following();
    if (!next) return;
    void client.prefetchQuery(reportQuery(provider, next));
    void client.prefetchQuery(historyQuery(provider, next));
  }

  /** Releases a claim made for a turn that another one has overtaken, unless that one now holds the report. */
  async function giveBack({ taken }: Taken) {
    if (taken && taken.report_id !== held.current) await provider.releaseReport(taken.report_id);
  }
  function leaveAhead() {
    if (ahead.current) leaving.current = ahead.current.then(giveBack).catch(() => undefined);
    ahead.current = undefined;
  }
  async function leaveHeld() {
    const id = held.current;
    held.current = undefined;
    if (id) await provider.releaseReport(id).catch(() => undefined);
  }
  async function take(ids: readonly string[]) {
    await leaving.current;
    return provider.claimReport(ids);
  }

  /** @param from the queue to claim from; fetched if absent or if nothing in it is free. */
  async function advance(from?: Queue): Promise<void> {
    run.current += 1;
    const mine = run.current;
    try {
      const { free } = leftOf(from ?? (await client.fetchQuery(queueQuery(provider))));
      const taking = ahead.current ?? (free.length > 0 ? take(free) : {});
      ahead.current = undefined;
      const answer: Taken = await taking;
      if (mine !== run.current) return await giveBack(answer);
      if (answer.taken) return show(answer.taken);
      if (from) return await advance();
      // Others have claimed what was free a moment ago.
      if (free.length > 0) await readAgain();
      if (mine === run.current) setView({ kind: "empty" });
    } catch (error) {
      if (mine === run.current) setView({ kind: "failed", error });
    }
  }

  const begin = useEffectEvent(() => void advance());
  const end = useEffectEvent(() => {
    run.current += 1;
    leaveAhead();
    void leaveHeld();
  });
  useEffect(() => {
    begin();
    return () => end();
  }, []);

  /** @param orElse called if someone else has the report, or it is decided. */
  async function open(id: string, orElse: () => Promise<void>) {
    const before = held.current;
    // Wait for commands about the report on the screen to finish first.
    if (id === before || client.isMutating() > 0) return;
    run.current += 1;
    const mine = run.current;
    try {
      const answer = await take([id]);
      if (mine !== run.current) return await giveBack(answer);
      if (!answer.taken) return await orElse();
      show(answer.taken);
      if (before) await provider.releaseReport(before).catch(() => undefined);
      void readAgain();
    } catch (error) {
      if (mine === run.current) setView({ kind: "failed", error });
    }
  }

  const showAgain = useEffectEvent((id: string) => {
    if (!decided.current.delete(id)) return;
    passed.current.delete(id);
    // If it can't be claimed, the current report stays.
    void open(id, async () => {
      if (!held.current) await advance();
    });
  });
  // After an undo, show the report again right away so it can be decided again.
  useEffect(() => onUndone((id) => showAgain(id)), []);

  async function refuse() {
    notify("This report isn't available right now.", { type: "warning" });
    await readAgain();
    // An identical response doesn't trigger a render, though fewer reports may be skipped now.
    setView((now) => ({ ...now }));
  }
  /** Shows the last skipped report that can still be claimed. */
  async function back(): Promise<void> {
    const id = [...skipped.current].at(-1);
    if (!id) return await refuse();
    await open(id, async () => {
      skipped.current.delete(id);
      await back();
    });
  }

  return {
    view,
    queue,
    left: queue && leftOf(queue),
    /** Claims the next report while the one on the screen is being decided. */
    takeAhead() {
      const others = following();
      if (others.length > 0) ahead.current = take(others);
      // The error is handled where the promise is awaited.
      ahead.current?.catch(() => undefined);
    },
    /** Releases the report claimed by `takeAhead`, because the decision failed. */
    leaveAhead,
    /** Shows the next report, and doesn't show this one again. */
    async next() {
      if (held.current) {
        decided.current.add(held.current);
        passed.current.add(held.current);
      }
      held.current = undefined;
      await advance(known());
      // Other screens that the decision changed, and how many reports are left.
      void client.invalidateQueries({ queryKey: ["reports"], refetchType: "active" });
      void client.invalidateQueries({ queryKey: ["audit-logs"] });
      await readAgain();
    },
    /** Releases the report, and shows the next one. */
    async skip() {
      const id = held.current;
      if (!id || client.isMutating() > 0) return;
      skipped.current.add(id);
      await leaveHeld();
      await advance();
    },
    back: skipped.current.size > 0 ? back : undefined,
    /** Shows a report of the queue, unless someone else has it. */
    open: (id: string) => open(id, refuse),
    /** Restarts at the front, including skipped reports. */
    async restart() {
      skipped.current.clear();
      setView({ kind: "loading" });
      await leaveHeld();
      // A fetch in flight may be older than the click.
      await client.cancelQueries({ queryKey: ["queue"] });
      await advance();
    },
    /** Renews the claim for ten minutes. @returns whether it is still this moderator's. */
    async keep() {
      const id = held.current;
      if (!id) return false;
      const { taken } = await provider.claimReport([id]);
      if (taken)
        setView((now) =>
          now.kind === "report" && now.id === id ? { ...now, until: taken.until } : now,
        );
      else {
        await readAgain();
        const other = claimOn(known(), id);
        notify(other ? takenByText(other) : "This report is no longer waiting for a decision.", {
          type: "warning",
        });
        await client.invalidateQueries({ queryKey: ["reports"] });
      }
      return taken !== undefined;
    },
  };
}
