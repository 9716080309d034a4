import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useRef, useState } from "react";
import { useDataProvider } from "react-admin";
import { QUEUE_FRONT, type Queue } from "#contracts/http/queue.ts";
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
  /** How many reports are to decide, with the one that is shown; undefined until it is known. */
  readonly toDecide: number | undefined;
  /** Shows the next report, and does not show this one again. */
  readonly next: () => Promise<void>;
  /** Leaves the report to others, and shows the next one. */
  readonly skip: () => Promise<void>;
  /** Starts again at the front, with what was skipped. */
  readonly restart: () => Promise<void>;
  /** Keeps the report for ten more minutes. @returns whether nobody else has it meanwhile. */
  readonly keep: () => Promise<boolean>;
}

/**
 * Takes one report after the other. While one is decided, the record of the one that probably comes next
 * is loaded.
 * @param enabled whether the account may do this.
 */
export function useQueue(enabled: boolean): QueueWork {
  const provider = useDataProvider<ConsoleDataProvider>();
  const client = useQueryClient();
  const [view, setView] = useState<QueueView>({ kind: "loading" });
  const [queue, setQueue] = useState<Queue>();
  const skipped = useRef(new Set<string>());
  /** What an undo shows again. */
  const decided = useRef(new Set<string>());
  /** What is not shown again until the queue has been without it: an answer may be older than the decision. */
  const passed = useRef(new Set<string>());
  const held = useRef<string>(undefined);
  /** The run whose answer counts: a page that is left takes nothing any more. */
  const run = useRef(0);
  const looks = useRef(0);

  const advance = useCallback(async () => {
    run.current += 1;
    const mine = run.current;
    try {
      const read = await provider.queue();
      forgetAbsent(passed.current, read);
      const open = read.reports.filter((id) => !skipped.current.has(id) && !passed.current.has(id));
      const others = new Set(read.taken.map(({ report_id }) => report_id));
      const free = open.filter((id) => !others.has(id));
      const { taken } = free.length > 0 ? await provider.takeReport(free) : {};
      if (mine !== run.current) {
        if (taken) await provider.leaveReport(taken.report_id);
        return;
      }
      setQueue(read);
      if (!taken) {
        const byOthers = open.length;
        const concerning = concerningIn(read);
        setView({ kind: "empty", byOthers, skipped: skipped.current.size, fresh: 0, concerning });
        return;
      }
      const { report_id: id, until } = taken;
      held.current = id;
      setView({ kind: "report", id, until });
      const following = free.find((each) => each !== id);
      if (following) void client.prefetchQuery(reportQuery(provider, following));
    } catch (error) {
      if (mine === run.current) setView({ kind: "failed", error });
    }
  }, [provider, client]);

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

  // A report whose decision was taken back is shown again at once, to be decided again.
  useEffect(() => {
    if (!enabled) return;
    return onUndone((id) => {
      if (!decided.current.delete(id)) return;
      passed.current.delete(id);
      void goBack(id);
    });
    async function goBack(id: string) {
      run.current += 1;
      const mine = run.current;
      const left = held.current;
      try {
        const { taken } = await provider.takeReport([id]);
        if (mine !== run.current) return;
        if (!taken) return void (await advance());
        held.current = id;
        setView({ kind: "report", id, until: taken.until });
        if (left && left !== id) await provider.leaveReport(left).catch(() => undefined);
        setQueue(await provider.queue());
      } catch (error) {
        if (mine === run.current) setView({ kind: "failed", error });
      }
    }
  }, [enabled, advance, provider]);

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
    setQueue(read);
    forgetAbsent(passed.current, read);
    if (kind !== "empty") return;
    const others = new Set(read.taken.map(({ report_id }) => report_id));
    const left = read.reports.filter((id) => !skipped.current.has(id) && !passed.current.has(id));
    const byOthers = left.filter((id) => others.has(id)).length;
    const fresh = left.length - byOthers;
    const concerning = concerningIn(read);
    setView({ kind: "empty", byOthers, fresh, skipped: skipped.current.size, concerning });
  }

  return {
    view,
    toDecide: queue?.to_decide,
    async next() {
      if (held.current) {
        decided.current.add(held.current);
        passed.current.add(held.current);
      }
      held.current = undefined;
      await advance();
    },
    async skip() {
      const id = held.current;
      if (!id) return;
      skipped.current.add(id);
      held.current = undefined;
      await provider.leaveReport(id).catch(() => undefined);
      await advance();
    },
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
      return taken !== undefined;
    },
  };
}

/** How many reports the moderator may not decide; none behind a front that is full. */
function concerningIn({ reports, to_decide }: Queue): number {
  return reports.length < QUEUE_FRONT ? to_decide - reports.length : 0;
}

function forgetAbsent(ids: Set<string>, { reports }: Queue): void {
  for (const id of ids) if (!reports.includes(id)) ids.delete(id);
}
