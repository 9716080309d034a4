import Box from "@mui/material/Box";
import Link from "@mui/material/Link";
import Typography from "@mui/material/Typography";
import { useDataProvider } from "react-admin";
import { Link as RouterLink, useNavigate } from "react-router-dom";
import { NOTICE_KINDS, type NoticeRecord } from "#contracts/http/admin-notices.ts";
import { NOTICE_STATUSES } from "#contracts/notice/notice-rules.ts";
import { paths } from "../config/paths.ts";
import type { ConsoleDataProvider } from "../data/console-data-provider.ts";
import { DeleteNotice } from "../shared/DeleteNotice.tsx";
import { FieldList } from "../shared/FieldList.tsx";
import { formatInstant } from "../shared/formats.ts";
import { PageHeading } from "../shared/PageHeading.tsx";
import { Section } from "../shared/Section.tsx";
import { CasePage } from "./CasePage.tsx";
import { InquiryNote } from "./InquiryNote.tsx";
import { NoticeActions } from "./NoticeActions.tsx";
import { NoticeClock } from "./NoticeClock.tsx";
import { NoticeSteps } from "./NoticeSteps.tsx";
import { NoticeTargets } from "./NoticeTargets.tsx";
import { RevealInquiry } from "./RevealInquiry.tsx";

/** One DMCA notice or counter-notice: how it stands, what it is about, and what can be decided. */
export function NoticePage() {
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
        <RevealInquiry number={number} reveal={() => provider.revealNotice(id)} of="notices" />
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
      {email !== "" && (
        <InquiryNote add={(text) => provider.addNoticeNote(id, text)} of="notices" />
      )}
      <NoticeSteps steps={notice.steps} />
      <DeleteNotice notice={notice} onDeleted={() => navigate(paths.notices)} />
    </Box>
  );
}
