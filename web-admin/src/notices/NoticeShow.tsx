import Box from "@mui/material/Box";
import Link from "@mui/material/Link";
import Typography from "@mui/material/Typography";
import { useState } from "react";
import { Link as RouterLink, useNavigate, useParams } from "react-router-dom";
import { NOTICE_KINDS, type NoticeRecord, type NoticeStep } from "#contracts/http/admin-notices.ts";
import { NOTICE_STATUSES } from "#contracts/notice/notice-rules.ts";
import { paths } from "../config/paths.ts";
import { CaseSteps, type ShownStep } from "../shared/cases/CaseSteps.tsx";
import { Deadline } from "../shared/cases/Deadline.tsx";
import { RevealCase } from "../shared/cases/RevealCase.tsx";
import { CaseNote } from "../shared/cases/SayForm.tsx";
import { FieldList } from "../shared/FieldList.tsx";
import { formatInstant } from "../shared/formats.ts";
import { Loaded } from "../shared/Loaded.tsx";
import { PageHeading } from "../shared/PageHeading.tsx";
import { Section } from "../shared/Section.tsx";
import { useRead } from "../shared/use-read.ts";
import { DeleteButton, DeleteDialog, NoticeActions } from "./actions.tsx";
import { clockWords, noticeStepInWords } from "./labels.ts";
import { NoticeTargets } from "./NoticeTargets.tsx";

/** One DMCA notice or counter-notice: how it stands, what it is about, and what can be decided. */
export function NoticeShow() {
  const { id = "" } = useParams();
  const path = `/notices/${encodeURIComponent(id)}`;
  return (
    <Loaded
      query={useRead<NoticeRecord>(["notices", "one", id], path)}
      what="notice"
      absence="It doesn't exist or has been erased."
      list={paths.notices}
      all="All notices"
    >
      {(notice) => <OpenNotice notice={notice} />}
    </Loaded>
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
        <Deadline of={clockWords(notice, Date.now())} />
      </Box>
      <NoticeActions notice={notice} />
      {email !== "" && <RevealCase number={number} id={id} of="notices" />}
      <Section title="Facts">
        <FieldList
          fields={[
            { label: "Status", value: NOTICE_STATUSES[status] },
            { label: "Email", value: email || "Erased" },
            { label: "Received", value: formatInstant(received_at) },
            { label: "Material back from", value: not_before && formatInstant(not_before) },
            { label: isCounter ? "Material back by" : "Decide by", value: formatInstant(due_at) },
            { label: "Decided", value: decided_at && formatInstant(decided_at) },
            {
              label: isCounter ? "Answers" : "Counter-notice",
              value: related && (
                <Link component={RouterLink} to={paths.notice(related.id)}>
                  {related.number}
                </Link>
              ),
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
    words: noticeStepInWords(step),
    to: target ? paths.report(target.report_id) : notice && paths.notice(notice.id),
    text: text ?? (type === "note" ? "Erased" : undefined),
  };
}
