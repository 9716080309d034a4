import Box from "@mui/material/Box";
import Typography from "@mui/material/Typography";
import type {
  InquiryRecord,
  InquiryStep,
  RevealedInquiry,
} from "#contracts/http/admin-inquiries.ts";
import { REPLY_DAYS } from "#contracts/inquiry/inquiry-status.ts";
import { color } from "#theme/color.ts";
import { radius } from "#theme/tokens.ts";
import { SayForm } from "../shared/cases/SayForm.tsx";
import { Instant } from "../shared/Instant.tsx";
import { Section } from "../shared/Section.tsx";

/** Answers by staff and the sender's replies, oldest first, and the form for the next answer. */
export function Conversation(props: {
  readonly inquiry: InquiryRecord;
  /** What was sent, while it is visible. */
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
        <Box component="ol" sx={{ listStyle: "none", m: 0, mb: 2, p: 0, display: "grid", gap: 1 }}>
          {said.map((step) => (
            <Said key={step.revision} step={step} revealed={revealed} />
          ))}
        </Box>
      )}
      {inquiry.status !== "closed" && (
        // The revision refuses it if someone else has answered or a reply has arrived.
        <SayForm
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

function Said({
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
      <Typography color="textSecondary" sx={{ fontVariantNumeric: "tabular-nums" }}>
        {isReply ? "Reply from the sender" : `Answer${by ? ` by ${by}` : ""}`}, <Instant at={at} />
      </Typography>
      <Typography sx={{ whiteSpace: "pre-wrap", overflowWrap: "anywhere" }}>{words}</Typography>
    </Box>
  );
}
