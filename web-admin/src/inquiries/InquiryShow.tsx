import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Typography from "@mui/material/Typography";
import { useState } from "react";
import {
  type DisclosedReport,
  type InquiryRecord,
  type InquiryStep,
  LISTED_KINDS,
  type RevealedInquiry,
} from "#contracts/http/admin-inquiries.ts";
import {
  INQUIRY_STATUSES,
  type InquiryStatus,
  REPLY_DAYS,
} from "#contracts/inquiry/inquiry-status.ts";
import { color } from "#theme/color.ts";
import { radius } from "#theme/tokens.ts";
import { paths } from "../config/paths.ts";
import { messageOf } from "../data/api-error.ts";
import {
  CaseNote,
  CasePage,
  CaseSteps,
  MessageForm,
  RevealCase,
  type ShownStep,
} from "../shared/cases/cases.tsx";
import { Deadline } from "../shared/cases/Deadline.tsx";
import { FieldList } from "../shared/FieldList.tsx";
import { counted, formatInstant } from "../shared/formats.ts";
import { fieldLabel, valueText } from "../shared/labels.ts";
import { PageHeading, Section } from "../shared/page.tsx";
import { Instant } from "../shared/parts.tsx";
import type { PickedReport } from "../shared/picked-report.ts";
import { ReportPicker } from "../shared/ReportPicker.tsx";
import { Failure } from "../shared/states.tsx";
import { useSending } from "../shared/use-sending.ts";
import { againstPromise, stepText } from "./labels.ts";

/** One inquiry: its status, message, notes and history. */
export function InquiryShow() {
  return (
    <CasePage<InquiryRecord> of="inquiries" what="inquiry">
      {(inquiry) => <OpenInquiry inquiry={inquiry} />}
    </CasePage>
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
    words: stepText(step),
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

/** Changes the status of an inquiry, unless someone else has changed it since. */
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
      {NEXT[status].map((to) => (
        <Button
          key={to}
          variant="outlined"
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

function Conversation(props: {
  readonly inquiry: InquiryRecord;
  readonly revealed: RevealedInquiry | undefined;
}) {
  const { inquiry, revealed } = props;
  const said = inquiry.steps
    .filter(({ type }) => type === "answered" || type === "replied")
    .toReversed();
  if (said.length === 0 && inquiry.status === "closed") return null;
  return (
    <Section title="Conversation">
      {said.length > 0 && (
        <Box component="ol" sx={{ mb: 2, display: "grid", gap: 1 }}>
          {said.map((step) => (
            <Message key={step.revision} step={step} revealed={revealed} />
          ))}
        </Box>
      )}
      {inquiry.status !== "closed" && (
        // The revision makes this fail if someone else has answered or a reply has arrived.
        <MessageForm
          isMain
          label="Answer"
          help={`We'll email it to ${inquiry.email}, with a link for one reply within ${REPLY_DAYS} days.`}
          button="Send answer"
          path={`/inquiries/${inquiry.id}/answer`}
          more={{ revision: inquiry.status_revision }}
          of="inquiries"
          failed="Couldn't send the answer. Try again."
        />
      )}
    </Section>
  );
}

function Message({
  step: { type, at, by, text, answer_id },
  revealed,
}: {
  readonly step: InquiryStep;
  readonly revealed: RevealedInquiry | undefined;
}) {
  const isReply = type === "replied";
  const reply = isReply && revealed?.find((each) => each.answer_id === answer_id)?.text;
  const words = isReply ? reply || "Reveal the message to read this reply." : (text ?? "Erased");
  return (
    <Box
      component="li"
      sx={{
        p: 1.5,
        border: `1px solid ${isReply ? color.privateLine : color.line}`,
        bgcolor: isReply ? color.privateTint : undefined,
        borderRadius: `${radius.small}px`,
      }}
    >
      <Typography color="textSecondary">
        {isReply ? "Reply from the sender" : `Answer${by ? ` by ${by}` : ""}`}, <Instant at={at} />
      </Typography>
      <Typography sx={{ whiteSpace: "pre-wrap", overflowWrap: "anywhere" }}>{words}</Typography>
    </Box>
  );
}

/** Opens a full report for this request. The registry records the view together with the request. */
function Disclosure({ inquiry: { id } }: { readonly inquiry: InquiryRecord }) {
  const [report, setReport] = useState<PickedReport | null>(null);
  const { data, error, isPending, mutate, reset } = useSending(
    (provider, of: string) =>
      provider.command<DisclosedReport>(`/inquiries/${id}/disclose`, { report_id: of }),
    { again: ["inquiries", "reports"], tells: "nothing" },
  );
  return (
    <Section title="Open a report for this request">
      <Typography color="textSecondary" sx={{ mb: 1 }}>
        Shows every field. This view is recorded, with the request it was for.
      </Typography>
      <Box
        component="form"
        onSubmit={(event) => {
          event.preventDefault();
          if (report && !isPending) mutate(report.id);
        }}
        sx={{ display: "flex", gap: 1, flexWrap: "wrap", alignItems: "flex-start" }}
      >
        <ReportPicker
          label="Report"
          value={report}
          onChange={(chosen) => {
            setReport(chosen);
            reset();
          }}
        />
        <Box sx={{ display: "flex", gap: 1, pt: { sm: 3 } }}>
          <Button type="submit" variant="outlined" loading={isPending} disabled={!report}>
            Open report
          </Button>
          {data && <Button onClick={reset}>Hide</Button>}
        </Box>
      </Box>
      <Failure sx={{ mt: 1 }}>
        {error && `Couldn't open the report: ${messageOf(error, "Unknown error occurred")}`}
      </Failure>
      {data && (
        <Box sx={{ mt: 2 }}>
          <FieldList fields={fieldsOf(data.data)} />
        </Box>
      )}
    </Section>
  );
}

function fieldsOf(report: DisclosedReport) {
  return Object.entries(report).flatMap(([name, value]) => {
    if (value === null || typeof value === "object") return [];
    return [{ label: fieldLabel(name), value: valueText(name, value, report.currency) }];
  });
}
