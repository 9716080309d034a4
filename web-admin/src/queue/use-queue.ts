import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import { useNotify } from "react-admin";
import { QUEUE_FRONT, type Queue, type Taken } from "#contracts/http/queue.ts";
import { queueQuery, takenIn } from "../commands/CommandDialog.tsx";
import { takenWords } from "../commands/labels.ts";
import { onUndone } from "../commands/UndoOffer.tsx";
import { historyQuery, reportQuery } from "../record/OpenReport.tsx";
import { useProvider } from "../shared/reads.ts";

/** What the queue shows. */
export type QueueView =
  | { readonly kind: "loading" }
  | { readonly kind: "failed"; readonly error: unknown }
  /** A report that is this moderator's until then, RFC 3339. Each time that one is shown is another turn. */
  | { readonly kind: "report"; readonly id: string; readonly until: string; readonly turn: number }
  /** All that is left to decide is with other moderators or was skipped. */
  | { readonly kind: "empty" };

export type QueueWork = ReturnType<typeof useQueue>;

/**
 * Takes one report after the other. While one is decided, the record of the one that probably comes next
 * is loaded.
 */
export function useQueue() {
  const provider = useProvider();
  const client = useQueryClient();
  const notify = useNotify();
  const [view, setView] = useState<QueueView>({ kind: "loading" });
  // How many wait follows changes. Nothing is taken by itself: the page may have been left open.
  const { data: queue } = useQuery(queueQuery(provider));
  /** In the order in which they were. */
  const skipped = useRef(new Set<string>());
  /** What an undo shows again. */
  const decided = useRef(new Set<string>());
  /** What is not shown again until the queue has been without it: an answer may be older than the decision. */
  const passed = useRef(new Set<string>());
  const held = useRef<string>(undefined);
  const ahead = useRef<Promise<Taken>>(undefined);
  /** What is being left: a report is not taken again before that. */
  const leaving = useRef<Promise<unknown>>(undefined);
  /** The run whose answer counts: a page that is left takes nothing anymore. */
  const run = useRef(0);
  useEffect(() => {
    for (const id of passed.current) if (!queue?.reports.includes(id)) passed.current.delete(id);
  }, [queue]);

  const readAgain = () => client.invalidateQueries({ queryKey: ["queue"] });
  const known = () => client.getQueryData<Queue>(["queue"]);

  /** What is left of a queue for this moderator. */
  function leftOf({ reports, taken, to_decide }: Queue) {
    const others = new Set(taken.map(({ report_id }) => report_id));
    const open = reports.filter((id) => !skipped.current.has(id) && !passed.current.has(id));
    const free = open.filter((id) => !others.has(id));
    return {
      free,
      byOthers: open.length - free.length,
      skipped: skipped.current.size,
      /** Reports to decide that are the moderator's own or name them; none behind a front that is full. */
      concerning: reports.length < QUEUE_FRONT ? to_decide - reports.length : 0,
    };
  }
  /** Free reports but for the one on the screen. */
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

  /** Gives back what was taken for a turn that another has overtaken, unless that one holds it. */
  async function giveBack({ taken }: Taken) {
    if (taken && taken.report_id !== held.current) await provider.leaveReport(taken.report_id);
  }
  function leaveAhead() {
    if (ahead.current) leaving.current = ahead.current.then(giveBack).catch(() => undefined);
    ahead.current = undefined;
  }
  async function leaveHeld() {
    const id = held.current;
    held.current = undefined;
    if (id) await provider.leaveReport(id).catch(() => undefined);
  }
  async function take(ids: readonly string[]) {
    await leaving.current;
    return provider.takeReport(ids);
  }

  /** @param from the queue from which one is taken; read again where it is absent or has none. */
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
      // Others claimed what was free a moment ago.
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

  /** @param orElse where somebody else has it, or it is decided. */
  async function open(id: string, orElse: () => Promise<void>) {
    const before = held.current;
    // What is sent about the report on the screen ends first.
    if (id === before || client.isMutating() > 0) return;
    run.current += 1;
    const mine = run.current;
    try {
      const answer = await take([id]);
      if (mine !== run.current) return await giveBack(answer);
      if (!answer.taken) return await orElse();
      show(answer.taken);
      if (before) await provider.leaveReport(before).catch(() => undefined);
      void readAgain();
    } catch (error) {
      if (mine === run.current) setView({ kind: "failed", error });
    }
  }

  const showAgain = useEffectEvent((id: string) => {
    if (!decided.current.delete(id)) return;
    passed.current.delete(id);
    // Where it cannot be, the one on the screen stays.
    void open(id, async () => {
      if (!held.current) await advance();
    });
  });
  // A report whose decision was taken back is shown again at once, to be decided again.
  useEffect(() => onUndone((id) => showAgain(id)), []);

  async function refuse() {
    notify("This report isn't available right now.", { type: "warning" });
    await readAgain();
    // An equal answer renders nothing, though fewer may be skipped now.
    setView((now) => ({ ...now }));
  }
  /** Shows the last one skipped that can still be taken. */
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
    /** Takes the next report while the one on the screen is decided. */
    takeAhead() {
      const others = following();
      if (others.length > 0) ahead.current = take(others);
      // It is reported where it is awaited.
      ahead.current?.catch(() => undefined);
    },
    /** Leaves that one to others again: the decision was not done. */
    leaveAhead,
    /** Shows the next report, and does not show this one again. */
    async next() {
      if (held.current) {
        decided.current.add(held.current);
        passed.current.add(held.current);
      }
      held.current = undefined;
      await advance(known());
      // What the decision changed on other screens, and how many are left.
      void client.invalidateQueries({ queryKey: ["reports"], refetchType: "active" });
      void client.invalidateQueries({ queryKey: ["audit-logs"] });
      await readAgain();
    },
    /** Leaves the report to others, and shows the next one. */
    async skip() {
      const id = held.current;
      if (!id || client.isMutating() > 0) return;
      skipped.current.add(id);
      await leaveHeld();
      await advance();
    },
    back: skipped.current.size > 0 ? back : undefined,
    /** Shows a report of the queue, if nobody else has it. */
    open: (id: string) => open(id, refuse),
    /** Starts again at the front, with what was skipped. */
    async restart() {
      skipped.current.clear();
      setView({ kind: "loading" });
      await leaveHeld();
      // A read on its way may be older than the press of the button.
      await client.cancelQueries({ queryKey: ["queue"] });
      await advance();
    },
    /** Keeps the report for ten more minutes. @returns whether nobody else has it meanwhile. */
    async keep() {
      const id = held.current;
      if (!id) return false;
      const { taken } = await provider.takeReport([id]);
      if (taken)
        setView((now) =>
          now.kind === "report" && now.id === id ? { ...now, until: taken.until } : now,
        );
      else {
        await readAgain();
        const other = takenIn(known(), id);
        notify(other ? takenWords(other) : "This report is no longer waiting for a decision.", {
          type: "warning",
        });
        await client.invalidateQueries({ queryKey: ["reports"] });
      }
      return taken !== undefined;
    },
  };
}
