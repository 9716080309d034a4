import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Typography from "@mui/material/Typography";
import { useQuery } from "@tanstack/react-query";
import { useDataProvider, useRequireAccess } from "react-admin";
import { Link as RouterLink, useParams } from "react-router-dom";
import { type InquiryRecord, LISTED_KINDS } from "#contracts/http/admin-inquiries.ts";
import { INQUIRY_STATUSES } from "#contracts/inquiry/inquiry-status.ts";
import { paths } from "../config/paths.ts";
import { ApiError, messageOf } from "../data/api-error.ts";
import type { ConsoleDataProvider } from "../data/console-data-provider.ts";
import { FieldList } from "../shared/FieldList.tsx";
import { FullPageLoading } from "../shared/FullPageLoading.tsx";
import { formatInstant } from "../shared/formats.ts";
import { PageHeading } from "../shared/PageHeading.tsx";
import { Section } from "../shared/Section.tsx";
import { Sorry } from "../shared/Sorry.tsx";
import { Disclosure } from "./Disclosure.tsx";
import { InquiryNote } from "./InquiryNote.tsx";
import { InquirySteps } from "./InquirySteps.tsx";
import { InTime } from "./InTime.tsx";
import { RevealInquiry } from "./RevealInquiry.tsx";
import { StatusButtons } from "./StatusButtons.tsx";

/** One inquiry: how it stands, what was sent, notes, and what was done about it. */
export function InquiryPage() {
  const { id = "" } = useParams();
  const { isPending: isChecking } = useRequireAccess({ resource: "inquiries", action: "show" });
  const provider = useDataProvider<ConsoleDataProvider>();
  const { data, error, refetch } = useQuery({
    queryKey: ["inquiries", "one", id],
    queryFn: () => provider.inquiry(id),
    enabled: !isChecking,
    retry: false,
  });
  // A note that is being typed stays, whatever becomes of a later look.
  if (error && !data) return <LoadError error={error} onRetry={() => void refetch()} />;
  if (!data) return <FullPageLoading />;
  return <OpenInquiry key={data.id} inquiry={data} />;
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
            { label: "E-mail", value: email || "Erased" },
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

function LoadError(props: { readonly error: unknown; readonly onRetry: () => void }) {
  const { error, onRetry } = props;
  const isGone = error instanceof ApiError && (error.status === 404 || error.status === 400);
  const again = (
    <Button key="again" variant="contained" onClick={onRetry}>
      Try again
    </Button>
  );
  return (
    <Sorry
      title={isGone ? "There is no such inquiry" : "The inquiry could not be loaded"}
      actions={[
        ...(isGone ? [] : [again]),
        <Button key="list" variant="outlined" component={RouterLink} to={paths.inquiries}>
          All inquiries
        </Button>,
      ]}
    >
      {isGone ? "It does not exist, or it was erased." : messageOf(error, "Unknown error occurred")}
    </Sorry>
  );
}
