import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Typography from "@mui/material/Typography";
import { useParams } from "react-router-dom";
import {
  type InquiryRecord,
  type InquiryStep,
  LISTED_KINDS,
} from "#contracts/http/admin-inquiries.ts";
import type { InquiryStatus } from "#contracts/inquiry/inquiry-status.ts";
import { INQUIRY_STATUSES } from "#contracts/inquiry/inquiry-status.ts";
import { paths } from "../config/paths.ts";
import { CaseSteps, type ShownStep } from "../shared/cases/CaseSteps.tsx";
import { Deadline } from "../shared/cases/Deadline.tsx";
import { RevealCase } from "../shared/cases/RevealCase.tsx";
import { CaseNote } from "../shared/cases/SayForm.tsx";
import { FieldList } from "../shared/FieldList.tsx";
import { counted, formatInstant } from "../shared/formats.ts";
import { Loaded } from "../shared/Loaded.tsx";
import { PageHeading } from "../shared/PageHeading.tsx";
import { Section } from "../shared/Section.tsx";
import { useRead } from "../shared/use-read.ts";
import { useSending } from "../shared/use-sending.ts";
import { Conversation } from "./Conversation.tsx";
import { Disclosure } from "./Disclosure.tsx";
import { againstPromise, stepInWords } from "./labels.ts";

/** One inquiry: how it stands, what was sent, notes, and what was done about it. */
export function InquiryShow() {
  const { id = "" } = useParams();
  const path = `/inquiries/${encodeURIComponent(id)}`;
  return (
    <Loaded
      query={useRead<InquiryRecord>(["inquiries", "one", id], path)}
      what="inquiry"
      absence="It doesn't exist or has been erased."
      list={paths.inquiries}
      all="All inquiries"
    >
      {(inquiry) => <OpenInquiry inquiry={inquiry} />}
    </Loaded>
  );
}

function OpenInquiry({ inquiry }: { readonly inquiry: InquiryRecord }) {
  const { id, number, kind, email, message_chars, status, received_at } = inquiry;
  const { answer_by, answered_at } = inquiry;
  return (
    <Box sx={{ display: "grid", gap: 2, maxWidth: 880 }}>
      <Box>
        <PageHeading title={number}>{number}</PageHeading>
        <Typography color="textSecondary">{LISTED_KINDS[kind]}</Typography>
        <Deadline of={againstPromise(inquiry, Date.now())} />
      </Box>
      <StatusButtons inquiry={inquiry} />
      <RevealCase id={id} hasDocument={inquiry.has_document} number={number}>
        {(revealed) => <Conversation inquiry={inquiry} revealed={revealed} />}
      </RevealCase>
      <Section title="Facts">
        <FieldList
          fields={[
            { label: "Status", value: INQUIRY_STATUSES[status] },
            { label: "Email", value: email || "Erased" },
            { label: "Message", value: counted(message_chars, "character", "characters") },
            { label: "Received", value: formatInstant(received_at) },
            { label: "Answer due", value: formatInstant(answer_by) },
            { label: "Answered", value: answered_at && formatInstant(answered_at) },
          ]}
        />
      </Section>
      {kind === "law_enforcement" && status !== "closed" && <Disclosure inquiry={inquiry} />}
      <CaseNote id={id} of="inquiries" />
      <CaseSteps steps={inquiry.steps.map(shown)} />
    </Box>
  );
}

function shown(step: InquiryStep): ShownStep {
  const { revision, at, by, type, text, report_id } = step;
  return {
    revision,
    at,
    by,
    words: stepInWords(step),
    to: report_id && paths.report(report_id),
    text: type === "note" ? (text ?? "Erased") : undefined,
  };
}

const NEXT: Readonly<Record<InquiryStatus, readonly InquiryStatus[]>> = {
  new: ["in_work", "answered", "closed"],
  in_work: ["answered", "closed", "new"],
  answered: ["closed", "in_work"],
  closed: ["in_work"],
};
const ACTS: Readonly<Record<InquiryStatus, string>> = {
  new: "Return to new",
  in_work: "Start",
  answered: "Mark as answered",
  closed: "Close",
};

/** Changes the status of an inquiry, unless somebody else has meanwhile. */
function StatusButtons({
  inquiry: { id, status, status_revision: revision },
}: {
  readonly inquiry: InquiryRecord;
}) {
  const { mutate, isPending, variables } = useSending(
    (provider, to: InquiryStatus) =>
      provider.command(`/inquiries/${id}/status`, { status: to, revision }),
    { again: ["inquiries"], failed: "Couldn't change the status. Try again." },
  );
  return (
    <Box sx={{ display: "flex", gap: 1, flexWrap: "wrap" }}>
      {NEXT[status].map((to, index) => (
        <Button
          key={to}
          variant={index === 0 ? "contained" : "outlined"}
          loading={isPending && variables === to}
          disabled={isPending}
          onClick={() => mutate(to)}
        >
          {status === "closed" ? "Reopen" : ACTS[to]}
        </Button>
      ))}
    </Box>
  );
}
