import { type ReactNode, useEffect, useRef, useState } from "react";
import { useNavigate } from "react-router-dom";
import type { AdminReportDetail } from "#contracts/http/report-view.ts";
import type { DeletionReason, ReportStatus } from "#contracts/report/words.ts";
import { paths } from "../../config/paths.ts";
import { pageTexts } from "../commands/command-texts.ts";
import { DeleteDialog } from "../commands/DeleteDialog.tsx";
import { RejectDialog } from "../commands/RejectDialog.tsx";
import { useCommand } from "../commands/use-command.ts";
import { personName } from "../record/person-name.ts";
import type { Decision } from "./decisions.ts";

export interface Decisions {
  readonly decide: (decision: Decision) => Promise<void>;
  readonly verify: () => Promise<void>;
  readonly askToDelete: () => void;
  /** The action that is running, so that its button can show it. */
  readonly busy: Decision | "verify" | "delete" | undefined;
  /** The open dialog. It can be placed anywhere in the page. */
  readonly dialog: ReactNode;
}

/**
 * The commands of a report's page.
 * @param onDecided called when a decision is done and the page is up to date.
 */
export function useDecisions(report: AdminReportDetail, onDecided: () => void): Decisions {
  const { id } = report;
  const navigate = useNavigate();
  const [dialog, setDialog] = useState<"reject" | "delete">();
  const [decided, setDecided] = useState(0);
  const tell = useRef(onDecided);
  tell.current = onDecided;
  // Called after the commit, because a dialog that closes first restores the focus.
  useEffect(() => {
    if (decided > 0) tell.current();
  }, [decided]);
  // Somebody else has already rejected the report, so the dialog closes.
  useEffect(() => {
    if (report.status === "rejected") setDialog((open) => (open === "reject" ? undefined : open));
  }, [report.status]);
  const approve = useCommand<void>((p) => p.approveReport(id), pageTexts.approve);
  const reject = useCommand<string>((p, reason) => p.rejectReport(id, reason), pageTexts.reject, {
    inDialog: true,
  });
  const review = useCommand<void>((p) => p.setStatus(id, "under_review"), pageTexts.review);
  const reopen = useCommand<void>((p) => p.setStatus(id, "pending"), pageTexts.reopen);
  const verify = useCommand<void>((p) => p.verifyReport(id), pageTexts.verify);
  const remove = useCommand<DeletionReason>((p, r) => p.deleteReport(id, r), pageTexts.delete, {
    inDialog: true,
  });
  const running = { approve, reject, review, reopen, verify, delete: remove };
  const busy = (Object.keys(running) as (keyof typeof running)[]).find((k) => running[k].running);
  const name = personName(report);
  const ask = (what: "reject" | "delete") => {
    reject.reset();
    remove.reset();
    setDialog(what);
  };
  return {
    busy,
    async decide(decision) {
      if (busy) return;
      if (decision === "reject") return ask("reject");
      if (await { approve, review, reopen }[decision].run()) setDecided((n) => n + 1);
    },
    async verify() {
      if (!busy) await verify.run();
    },
    askToDelete: () => ask("delete"),
    dialog: (
      <>
        {dialog === "reject" && (
          <RejectDialog
            name={name}
            isPublic={(report.status as ReportStatus) === "approved"}
            running={reject.running}
            problem={reject.failure}
            onClose={() => setDialog(undefined)}
            onReject={async (reason) => {
              const done = await reject.run(reason);
              if (!done) return;
              setDialog(undefined);
              setDecided((n) => n + 1);
            }}
          />
        )}
        {dialog === "delete" && (
          <DeleteDialog
            name={name}
            running={remove.running}
            problem={remove.failure}
            onClose={() => setDialog(undefined)}
            onDelete={async (reason) => {
              if (await remove.run(reason)) navigate(paths.reports);
            }}
          />
        )}
      </>
    ),
  };
}
