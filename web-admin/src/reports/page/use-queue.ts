import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useRef, useState } from "react";
import { useDataProvider, useNotify } from "react-admin";
import { QUEUE_FRONT, type Queue, type Taken } from "#contracts/http/queue.ts";
import type { ConsoleDataProvider } from "../../data/console-data-provider.ts";
import { useChanged } from "../../shared/changes-context.ts";
import { onUndone } from "../commands/undone-reports.ts";
import { reportQuery } from "../record/use-report.ts";

/** What the queue shows. */
export type QueueView =
  | { readonly kind: "loading" }
  | { readonly kind: "failed"; readonly error: unknown }
  /** A report that is this moderator's until then, RFC 3339. */
  | { readonly kind: "report"; readonly id: string; readonly until: string }
  /** Nothing is left to decide but what others have, or what was skipped. */
  | {
      readonly kind: "empty";
      readonly byOthers: number;
      readonly skipped: number;
      /** Reports that have come since, and are free. */
      readonly fresh: number;
      /** Reports to decide that are the moderator's own or name them. */
      readonly concerning: number;
    };

export interface QueueWork {
  readonly view: QueueView;
  /** As it was read last; undefined until it is known. */
  readonly queue: Queue | undefined;
  /** Shows the next report, and does not show this one again. */
  readonly next: () => Promise<void>;
  /** Leaves the report to others, and shows the next one. */
  readonly skip: () => Promise<void>;
  /** Shows the report that was skipped last; undefined where none was. */
  readonly back: (() => Promise<void>) | undefined;
  /** Shows a report of the queue, if nobody else has it. */
  readonly open: (id: string) => Promise<void>;
  /** Starts again at the front, with what was skipped. */
  readonly restart: () => Promise<void>;
  /** Keeps the report for ten more minutes. @returns whether nobody else has it meanwhile. */
  readonly keep: () => Promise<boolean>;
}

/** What another moderator has, in the words of whoever wanted it. */
const TAKEN = "Another moderator has this report now";

/**
 * Takes one report after the other. While one is decided, the record of the one that probably comes next
 * is loaded.
 * @param enabled whether the account may do this.
 */
export function useQueue(enabled: boolean): QueueWork {
  const provider = useDataProvider<ConsoleDataProvider>();
  const client = useQueryClient();
  const notify = useNotify();
  const [view, setView] = useState<QueueView>({ kind: "loading" });
  const [queue, setQueue] = useState<Queue>();
  const last = useRef<Queue>(undefined);
  /** In the order in which they were. */
  const skipped = useRef(new Set<string>());
  /** What an undo shows again. */
  const decided = useRef(new Set<string>());
  /** What is not shown again until the queue has been without it: an answer may be older than the decision. */
  const passed = useRef(new Set<string>());
  const held = useRef<string>(undefined);
  /** The run whose answer counts: a page that is left takes nothing any more. */
  const run = useRef(0);
  const looks = useRef(0);

  /** What is left of a queue for this moderator. */
  const leftOf = useCallback((read: Queue) => {
    for (const id of passed.current) if (!read.reports.includes(id)) passed.current.delete(id);
    const others = new Set(read.taken.map(({ report_id }) => report_id));
    const open = read.reports.filter((id) => !skipped.current.has(id) && !passed.current.has(id));
    const free = open.filter((id) => !others.has(id));
    const byOthers = open.length - free.length;
    return { free, byOthers, skipped: skipped.current.size, concerning: concerningIn(read) };
  }, []);
  const note = useCallback((read: Queue) => {
    last.current = read;
    setQueue(read);
  }, []);

  const show = useCallback(
    ({ report_id: id, until }: NonNullable<Taken["taken"]>) => {
      held.current = id;
      skipped.current.delete(id);
      setView({ kind: "report", id, until });
      const following = last.current && leftOf(last.current).free.find((each) => each !== id);
      if (following) void client.prefetchQuery(reportQuery(provider, following));
    },
    [client, provider, leftOf],
  );

  /** @param from the queue from which one is taken; read again where it is absent or has none. */
  const advance = useCallback(
    async (from?: Queue): Promise<void> => {
      run.current += 1;
      const mine = run.current;
      try {
        const read = from ?? (await provider.queue());
        const { free, ...left } = leftOf(read);
        const { taken } = free.length > 0 ? await provider.takeReport(free) : {};
        if (mine !== run.current) {
          if (taken) await provider.leaveReport(taken.report_id);
          return;
        }
        if (!from) note(read);
        if (taken) show(taken);
        else if (from) return void (await advance());
        else setView({ kind: "empty", ...left, byOthers: left.byOthers + free.length, fresh: 0 });
      } catch (error) {
        if (mine === run.current) setView({ kind: "failed", error });
      }
    },
    [provider, leftOf, note, show],
  );

  useEffect(() => {
    if (!enabled) return;
    void advance();
    return () => {
      run.current += 1;
      const id = held.current;
      held.current = undefined;
      if (id) void provider.leaveReport(id).catch(() => undefined);
    };
  }, [enabled, advance, provider]);

  const open = useCallback(
    async (id: string, orElse?: () => Promise<void>) => {
      run.current += 1;
      const mine = run.current;
      const before = held.current;
      if (id === before) return;
      try {
        const { taken } = await provider.takeReport([id]);
        if (mine !== run.current) return;
        if (!taken) return orElse ? await orElse() : notify(TAKEN, { type: "warning" });
        show(taken);
        if (before) await provider.leaveReport(before).catch(() => undefined);
        note(await provider.queue());
      } catch (error) {
        if (mine === run.current) setView({ kind: "failed", error });
      }
    },
    [provider, notify, show, note],
  );

  // A report whose decision was taken back is shown again at once, to be decided again.
  useEffect(() => {
    if (!enabled) return;
    return onUndone((id) => {
      if (!decided.current.delete(id)) return;
      passed.current.delete(id);
      void open(id, advance);
    });
  }, [enabled, advance, open]);

  // How many wait. Nothing is taken by itself: somebody may have left the page open.
  useChanged(["reports", "queue"], () => {
    if (view.kind === "report" || view.kind === "empty") void look(view.kind);
  });
  async function look(kind: "report" | "empty") {
    looks.current += 1;
    const mine = [run.current, looks.current];
    const read = await provider.queue().catch(() => undefined);
    // An answer that a later one has overtaken says what was.
    if (!read || mine[0] !== run.current || mine[1] !== looks.current) return;
    note(read);
    const { free, ...left } = leftOf(read);
    if (kind === "empty") setView({ kind, ...left, fresh: free.length });
  }

  return {
    view,
    queue,
    async next() {
      if (held.current) {
        decided.current.add(held.current);
        passed.current.add(held.current);
      }
      held.current = undefined;
      await advance(last.current);
      // What the decision changed on other screens, and how many are left.
      void client.invalidateQueries({ queryKey: ["reports"], refetchType: "active" });
      void client.invalidateQueries({ queryKey: ["audit-logs"] });
      await look("report");
    },
    async skip() {
      const id = held.current;
      if (!id) return;
      skipped.current.add(id);
      held.current = undefined;
      await provider.leaveReport(id).catch(() => undefined);
      await advance();
    },
    back:
      skipped.current.size > 0
        ? async () => {
            const id = [...skipped.current].at(-1);
            if (id) await open(id);
          }
        : undefined,
    open,
    async restart() {
      skipped.current.clear();
      setView({ kind: "loading" });
      await advance();
    },
    async keep() {
      const id = held.current;
      if (!id) return false;
      const { taken } = await provider.takeReport([id]);
      if (taken) setView({ kind: "report", id, until: taken.until });
      else notify(TAKEN, { type: "warning" });
      return taken !== undefined;
    },
  };
}

/** How many reports the moderator may not decide; none behind a front that is full. */
function concerningIn({ reports, to_decide }: Queue): number {
  return reports.length < QUEUE_FRONT ? to_decide - reports.length : 0;
}
