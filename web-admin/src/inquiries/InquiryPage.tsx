import Box from "@mui/material/Box";
import Typography from "@mui/material/Typography";
import { useDataProvider } from "react-admin";
import { type InquiryRecord, LISTED_KINDS } from "#contracts/http/admin-inquiries.ts";
import { INQUIRY_STATUSES } from "#contracts/inquiry/inquiry-status.ts";
import type { ConsoleDataProvider } from "../data/console-data-provider.ts";
import { FieldList } from "../shared/FieldList.tsx";
import { formatInstant } from "../shared/formats.ts";
import { PageHeading } from "../shared/PageHeading.tsx";
import { Section } from "../shared/Section.tsx";
import { CasePage } from "./CasePage.tsx";
import { Disclosure } from "./Disclosure.tsx";
import { InquiryNote } from "./InquiryNote.tsx";
import { InquirySteps } from "./InquirySteps.tsx";
import { InTime } from "./InTime.tsx";
import { RevealInquiry } from "./RevealInquiry.tsx";
import { StatusButtons } from "./StatusButtons.tsx";

/** One inquiry: how it stands, what was sent, notes, and what was done about it. */
export function InquiryPage() {
  const provider = useDataProvider<ConsoleDataProvider>();
  return (
    <CasePage of="inquiries" read={(id) => provider.inquiry(id)}>
      {(inquiry) => <OpenInquiry inquiry={inquiry} />}
    </CasePage>
  );
}

function OpenInquiry({ inquiry }: { readonly inquiry: InquiryRecord }) {
  const provider = useDataProvider<ConsoleDataProvider>();
  const { id, number, kind, email, status, received_at, answer_by, answered_at } = inquiry;
  return (
    <Box sx={{ display: "grid", gap: 2, maxWidth: 880 }}>
      <Box>
        <PageHeading title={number}>{number}</PageHeading>
        <Typography color="textSecondary">{LISTED_KINDS[kind]}</Typography>
        <InTime inquiry={inquiry} />
      </Box>
      <StatusButtons inquiry={inquiry} />
      <RevealInquiry
        reveal={() => provider.revealInquiry(id)}
        {...(inquiry.has_document && { document: () => provider.inquiryDocument(id) })}
        number={number}
      />
      <Section title="Facts">
        <FieldList
          fields={[
            { label: "Status", value: INQUIRY_STATUSES[status] },
            { label: "Email", value: email || "Erased" },
            { label: "Received", value: formatInstant(received_at) },
            { label: "Answer promised by", value: formatInstant(answer_by) },
            ...(answered_at ? [{ label: "Answered", value: formatInstant(answered_at) }] : []),
          ]}
        />
      </Section>
      {kind === "law_enforcement" && status !== "closed" && <Disclosure inquiry={inquiry} />}
      <InquiryNote add={(text) => provider.addInquiryNote(id, text)} />
      <InquirySteps steps={inquiry.steps} />
    </Box>
  );
}
