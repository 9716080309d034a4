import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Typography from "@mui/material/Typography";
import { useState } from "react";
import { Link } from "react-admin";
import { useNavigate } from "react-router-dom";
import {
  type LinkNotice,
  NOTICE_KINDS,
  type NoticeRecord,
  type NoticeStep,
  type ShownTarget,
} from "#contracts/http/admin-notices.ts";
import { NOTICE_STATUSES } from "#contracts/notice/notice-rules.ts";
import { omitUndefined } from "#contracts/omit-undefined.ts";
import { paths } from "../config/paths.ts";
import {
  CaseNote,
  CasePage,
  CaseSteps,
  RevealCase,
  type ShownStep,
} from "../shared/cases/cases.tsx";
import { Deadline } from "../shared/cases/Deadline.tsx";
import { FieldList } from "../shared/FieldList.tsx";
import { formatInstant } from "../shared/formats.ts";
import { PageHeading, Section } from "../shared/page.tsx";
import type { PickedReport } from "../shared/picked-report.ts";
import { ReportPicker } from "../shared/ReportPicker.tsx";
import { useSending } from "../shared/use-sending.ts";
import { DeleteButton, DeleteDialog, NoticeActions } from "./actions.tsx";
import { clockText, noticeStepText } from "./labels.ts";

/** One DMCA notice or counter-notice: its status, its material and the possible decisions. */
export function NoticeShow() {
  return (
    <CasePage<NoticeRecord> of="notices" what="notice">
      {(notice) => <OpenNotice notice={notice} />}
    </CasePage>
  );
}

function OpenNotice({ notice }: { readonly notice: NoticeRecord }) {
  const navigate = useNavigate();
  const [isDeleting, setDeleting] = useState(false);
  const { id, number, kind, email, status, received_at, not_before, due_at, decided_at, related } =
    notice;
  const isCounter = kind === "counter_notice";
  return (
    <Box sx={{ display: "grid", gap: 2, maxWidth: 880 }}>
      <Box>
        <PageHeading title={number}>{number}</PageHeading>
        <Typography color="textSecondary">{NOTICE_KINDS[kind]}</Typography>
        <Deadline of={clockText(notice, Date.now())} />
      </Box>
      <NoticeActions notice={notice} />
      {email !== "" && <RevealCase number={number} id={id} of="notices" />}
      <Section title="Facts">
        <FieldList
          fields={[
            { label: "Status", value: NOTICE_STATUSES[status] },
            { label: "Email", value: email || "Erased" },
            { label: "Received", value: formatInstant(received_at) },
            { label: "Can be restored from", value: not_before && formatInstant(not_before) },
            { label: isCounter ? "Restore by" : "Decide by", value: formatInstant(due_at) },
            { label: "Decided", value: decided_at && formatInstant(decided_at) },
            {
              label: isCounter ? "Answers" : "Counter-notice",
              value: related && <Link to={paths.notice(related.id)}>{related.number}</Link>,
            },
          ]}
        />
      </Section>
      {!isCounter && <NoticeTargets notice={notice} />}
      {email !== "" && <CaseNote id={id} of="notices" />}
      <CaseSteps steps={notice.steps.map(shown)} />
      <DeleteButton notice={notice} onClick={() => setDeleting(true)} />
      {isDeleting && (
        <DeleteDialog
          notice={notice}
          onDeleted={() => navigate(paths.notices)}
          onClose={() => setDeleting(false)}
        />
      )}
    </Box>
  );
}

function shown(step: NoticeStep): ShownStep {
  const { revision, at, by, type, text, target, notice } = step;
  return {
    revision,
    at,
    by,
    words: noticeStepText(step),
    to: target ? paths.report(target.report_id) : notice && paths.notice(notice.id),
    text: text ?? (type === "note" ? "Erased" : undefined),
  };
}

function NoticeTargets({ notice }: { readonly notice: NoticeRecord }) {
  const { id, targets, status, revision } = notice;
  const [report, setReport] = useState<PickedReport | null>(null);
  const isOpen = status === "new" || status === "in_work";
  const link = useSending(
    (provider, target: { readonly report_id: string; readonly copy_id?: string }) =>
      provider.command(`/notices/${id}/link`, { ...target, revision } satisfies LinkNotice),
    {
      again: ["notices"],
      failed: "Couldn't link the report. Try again.",
      onDone: () => setReport(null),
    },
  );
  const unlink = useSending(
    (provider, { report_id: of, copy_id: copy }: ShownTarget) =>
      provider.command(`/notices/${id}/unlink`, {
        report_id: of,
        ...omitUndefined({ copy_id: copy }),
        revision,
      } satisfies LinkNotice),
    { again: ["notices"], failed: "Couldn't remove the link. Try again." },
  );
  return (
    <Section title="Material">
      {targets.length === 0 && (
        <Typography color="textSecondary">
          {isOpen
            ? "Nothing linked yet. Reveal the notice, then find the report here and link it."
            : "No report was linked."}
        </Typography>
      )}
      <Box component="ul">
        {targets.map((target) => (
          <Box
            component="li"
            key={`${target.report_id} ${target.copy_id}`}
            sx={{ display: "flex", gap: 2, alignItems: "center", py: 0.5, flexWrap: "wrap" }}
          >
            <Link to={paths.report(target.report_id)} sx={{ py: 1.25 }}>
              {target.report_number}
              {target.copy_id && ", one picture"}
            </Link>
            {isOpen && (
              <Button
                onClick={() => unlink.mutate(target)}
                disabled={unlink.isPending || link.isPending}
                aria-label={`Unlink ${target.report_number}`}
              >
                Unlink
              </Button>
            )}
          </Box>
        ))}
      </Box>
      {isOpen && (
        <Box
          component="form"
          onSubmit={(event) => {
            event.preventDefault();
            if (report && !link.isPending)
              link.mutate({ report_id: report.id, ...omitUndefined({ copy_id: report.copyId }) });
          }}
          sx={{ display: "flex", gap: 1, flexWrap: "wrap", alignItems: "flex-start", mt: 1 }}
        >
          <ReportPicker label="Report or picture" value={report} onChange={setReport} />
          <Button
            type="submit"
            variant="outlined"
            loading={link.isPending}
            disabled={!report || unlink.isPending}
          >
            Link
          </Button>
        </Box>
      )}
    </Section>
  );
}
