import Box from "@mui/material/Box";
import Link from "@mui/material/Link";
import Typography from "@mui/material/Typography";
import { useDataProvider } from "react-admin";
import { Link as RouterLink, useNavigate } from "react-router-dom";
import type { NoticeStep } from "#contracts/http/admin-notices.ts";
import { NOTICE_KINDS, type NoticeRecord } from "#contracts/http/admin-notices.ts";
import { NOTICE_STATUSES } from "#contracts/notice/notice-rules.ts";
import { paths } from "../config/paths.ts";
import type { ConsoleDataProvider } from "../data/console-data-provider.ts";
import { CaseNote } from "../shared/cases/CaseNote.tsx";
import { CasePage } from "../shared/cases/CasePage.tsx";
import { CaseSteps, type ShownStep } from "../shared/cases/CaseSteps.tsx";
import { RevealCase } from "../shared/cases/RevealCase.tsx";
import { DeleteNotice } from "../shared/DeleteNotice.tsx";
import { FieldList } from "../shared/FieldList.tsx";
import { formatInstant } from "../shared/formats.ts";
import { PageHeading } from "../shared/PageHeading.tsx";
import { Section } from "../shared/Section.tsx";
import { NoticeActions } from "./actions.tsx";
import { noticeStepInWords } from "./labels.ts";
import { NoticeClock } from "./NoticeClock.tsx";
import { NoticeTargets } from "./NoticeTargets.tsx";

/** One DMCA notice or counter-notice: how it stands, what it is about, and what can be decided. */
export function NoticeShow() {
  const provider = useDataProvider<ConsoleDataProvider>();
  return (
    <CasePage of="notices" read={(id) => provider.notice(id)}>
      {(notice) => <OpenNotice notice={notice} />}
    </CasePage>
  );
}

function OpenNotice({ notice }: { readonly notice: NoticeRecord }) {
  const navigate = useNavigate();
  const provider = useDataProvider<ConsoleDataProvider>();
  const { id, number, kind, email, status, received_at, not_before, due_at, decided_at, related } =
    notice;
  const isCounter = kind === "counter_notice";
  return (
    <Box sx={{ display: "grid", gap: 2, maxWidth: 880 }}>
      <Box>
        <PageHeading title={number}>{number}</PageHeading>
        <Typography color="textSecondary">{NOTICE_KINDS[kind]}</Typography>
        <NoticeClock notice={notice} />
      </Box>
      <NoticeActions notice={notice} />
      {email !== "" && (
        <RevealCase number={number} reveal={() => provider.revealNotice(id)} of="notices" />
      )}
      <Section title="Facts">
        <FieldList
          fields={[
            { label: "Status", value: NOTICE_STATUSES[status] },
            { label: "Email", value: email || "Erased" },
            { label: "Received", value: formatInstant(received_at) },
            ...(not_before
              ? [{ label: "Material back from", value: formatInstant(not_before) }]
              : []),
            { label: isCounter ? "Material back by" : "Decide by", value: formatInstant(due_at) },
            ...(decided_at ? [{ label: "Decided", value: formatInstant(decided_at) }] : []),
            ...(related
              ? [
                  {
                    label: isCounter ? "Answers" : "Counter-notice",
                    value: (
                      <Link component={RouterLink} to={paths.notice(related.id)}>
                        {related.number}
                      </Link>
                    ),
                  },
                ]
              : []),
          ]}
        />
      </Section>
      {!isCounter && <NoticeTargets notice={notice} />}
      {email !== "" && <CaseNote add={(text) => provider.addNoticeNote(id, text)} of="notices" />}
      <NoticeSteps steps={notice.steps} />
      <DeleteNotice notice={notice} onDeleted={() => navigate(paths.notices)} />
    </Box>
  );
}

/** What was done about a notice, the newest first, with notes and reasons in full. */
function NoticeSteps({ steps }: { readonly steps: readonly NoticeStep[] }) {
  return <CaseSteps steps={steps.map(shown)} />;
}

function shown(step: NoticeStep): ShownStep {
  const { revision, at, by, type, text, target, notice } = step;
  return {
    revision,
    at,
    by,
    words: noticeStepInWords(step),
    to: target ? paths.report(target.report_id) : notice && paths.notice(notice.id),
    text: text ?? (type === "note" ? "Erased" : undefined),
  };
}
