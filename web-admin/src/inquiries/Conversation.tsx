import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import TextField from "@mui/material/TextField";
import Typography from "@mui/material/Typography";
import { useDataProvider, useWarnWhenUnsavedChanges } from "react-admin";
import { useController, useForm } from "react-hook-form";
import {
  INQUIRY_NOTE_LENGTH,
  type InquiryRecord,
  type InquiryStep,
  type RevealedInquiry,
} from "#contracts/http/admin-inquiries.ts";
import { REPLY_DAYS } from "#contracts/inquiry/inquiry-status.ts";
import { color } from "#theme/color.ts";
import { radius } from "#theme/tokens.ts";
import type { ConsoleDataProvider } from "../data/console-data-provider.ts";
import { Instant } from "../shared/Instant.tsx";
import { Section } from "../shared/Section.tsx";
import { useSending } from "../shared/use-sending.ts";

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
      {inquiry.status !== "closed" && <AnswerForm inquiry={inquiry} />}
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

/** Emails an answer, unless somebody else has answered meanwhile or a reply has come. */
function AnswerForm({ inquiry }: { readonly inquiry: InquiryRecord }) {
  const { id, email, status_revision: revision } = inquiry;
  const provider = useDataProvider<ConsoleDataProvider>();
  const { control, reset } = useForm({ defaultValues: { text: "" } });
  const { field } = useController({ name: "text", control });
  useWarnWhenUnsavedChanges(true, undefined, control as never);
  const text = field.value.trim();
  const { mutate, isPending } = useSending(
    () => provider.command(`/inquiries/${id}/answer`, { text, revision }),
    { again: ["inquiries"], failed: "Couldn't send the answer. Try again.", onDone: () => reset() },
  );
  return (
    <Box
      component="form"
      onSubmit={(event) => {
        event.preventDefault();
        if (text && !isPending) mutate();
      }}
      sx={{ display: "grid", gap: 1, justifyItems: "start" }}
    >
      <TextField
        fullWidth
        multiline
        minRows={4}
        label="Answer"
        value={field.value}
        onChange={field.onChange}
        disabled={isPending}
        helperText={`We'll email it to ${email}, with a link for one reply within ${REPLY_DAYS} days.`}
        slotProps={{ htmlInput: { maxLength: INQUIRY_NOTE_LENGTH } }}
      />
      <Button type="submit" variant="contained" loading={isPending} disabled={!text}>
        Send answer
      </Button>
    </Box>
  );
}
