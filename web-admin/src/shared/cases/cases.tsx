import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import TextField from "@mui/material/TextField";
import Typography from "@mui/material/Typography";
import type { ReactNode } from "react";
import { Link, WarnWhenUnsavedChanges } from "react-admin";
import { useController, useForm } from "react-hook-form";
import { useParams } from "react-router-dom";
import { INQUIRY_NOTE_LENGTH, type RevealedInquiry } from "#contracts/http/admin-inquiries.ts";
import { paths } from "../../config/paths.ts";
import { messageOf } from "../../data/api-error.ts";
import { FieldList } from "../FieldList.tsx";
import { Section } from "../page.tsx";
import { Instant } from "../parts.tsx";
import { RevealPanel } from "../RevealPanel.tsx";
import { useRead } from "../reads.ts";
import { saveFile } from "../save-file.ts";
import { Loaded } from "../states.tsx";
import { useSending } from "../use-sending.ts";

/** Loads the inquiry or notice whose ID is in the URL. */
export function CasePage<R extends { readonly id: string }>(props: {
  readonly of: "inquiries" | "notices";
  readonly what: string;
  readonly children: (record: R) => ReactNode;
}) {
  const { of, what, children } = props;
  const { id = "" } = useParams();
  return (
    <Loaded
      query={useRead<R>([of, "one", id], `/${of}/${encodeURIComponent(id)}`)}
      what={what}
      absence="It doesn't exist or has been erased."
      list={paths[of]}
      all={`All ${of}`}
    >
      {children}
    </Loaded>
  );
}

/** One entry of the history. */
export interface ShownStep {
  readonly revision: number;
  /** ISO 8601, in UTC. */
  readonly at: string;
  readonly by?: string | undefined;
  readonly words: string;
  readonly to?: string | undefined;
  /** The full text of a note or a reason. */
  readonly text?: string | undefined;
}

/** The history of an inquiry or a notice, newest first. */
export function CaseSteps({ steps }: { readonly steps: readonly ShownStep[] }) {
  return (
    <Section title="History">
      <Box
        component="ol"
        sx={{
          "& > li": { py: 1 },
          "& > li + li": { borderTop: 1, borderColor: "divider" },
        }}
      >
        {steps.map((step) => (
          <Step key={step.revision} step={step} />
        ))}
      </Box>
    </Section>
  );
}

function Step({ step: { at, by, words, to, text } }: { readonly step: ShownStep }) {
  return (
    <li>
      <Typography sx={{ fontWeight: 600 }}>{to ? <Link to={to}>{words}</Link> : words}</Typography>
      {text && (
        <Typography sx={{ whiteSpace: "pre-wrap", overflowWrap: "anywhere" }}>{text}</Typography>
      )}
      <Typography color="textSecondary">
        <Instant at={at} />
        {by && (
          <>
            , <span style={{ display: "inline-block" }}>{by}</span>
          </>
        )}
      </Typography>
    </li>
  );
}

/** Reveals what was sent, which the registry records. It exists only in this component and is never cached. */
export function RevealCase({
  number,
  id,
  hasDocument,
  of = "inquiries",
  children,
}: {
  readonly number: string;
  readonly id: string;
  readonly hasDocument?: boolean;
  readonly of?: "inquiries" | "notices";
  /** Other content that shows what was sent, including all replies. @param revealed undefined while hidden. */
  readonly children?: (revealed: RevealedInquiry | undefined) => ReactNode;
}) {
  const quietly = { again: [of], tells: "nothing" } as const;
  const answers = useSending(
    (provider) => provider.command<RevealedInquiry>(`/${of}/${id}/reveal`),
    quietly,
  );
  const document = useSending(async (provider) => {
    const file = await provider.openFile(`/${of}/${id}/document`);
    saveFile(file, `${number}${ENDINGS[file.type] ?? ""}`);
    return { message: undefined };
  }, quietly);
  const revealed = answers.data?.data;
  const shown = revealed?.filter(({ answer_id }) => !children || answer_id === undefined);
  const error = answers.error ?? document.error;
  return (
    <>
      <RevealPanel
        label="Message"
        hidden="The message is hidden"
        visible="The message is visible"
        it="it"
        opening={answers}
        failure={
          error
            ? `Couldn't open the message: ${messageOf(error, "Unknown error occurred")}`
            : undefined
        }
        action={
          hasDocument && (
            <Button
              variant="outlined"
              loading={document.isPending}
              onClick={() => document.mutate()}
            >
              Download document
            </Button>
          )
        }
      >
        {shown && (
          <Box sx={{ mt: 1 }}>
            <FieldList fields={shown.map(({ label, text }) => ({ label, value: text }))} />
          </Box>
        )}
      </RevealPanel>
      {children?.(revealed)}
    </>
  );
}

const ENDINGS: Readonly<Record<string, string>> = {
  "application/pdf": ".pdf",
  "image/jpeg": ".jpg",
  "image/png": ".png",
  "image/webp": ".webp",
};

/** A form that sends a text about an inquiry or a notice. */
export function MessageForm(props: {
  readonly label: string;
  readonly help: string;
  readonly button: string;
  /** Where it is sent; `more` is added to the body. */
  readonly path: string;
  readonly more?: object;
  readonly of: "inquiries" | "notices";
  readonly failed: string;
  /** Whether it is the page's main form, so leaving asks for confirmation. A page has at most one. */
  readonly isMain?: true;
}) {
  const { label, help, button, path, more, of, failed, isMain } = props;
  const { control, reset } = useForm({ defaultValues: { text: "" } });
  const { field } = useController({ name: "text", control });
  const text = field.value.trim();
  const { mutate, isPending } = useSending(
    (provider) => provider.command(path, { text, ...more }),
    { again: [of], failed, onDone: () => reset() },
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
      {isMain && (
        <WarnWhenUnsavedChanges enable formRootPathName={undefined} formControl={control} />
      )}
      <TextField
        fullWidth
        multiline
        minRows={isMain ? 4 : 2}
        label={label}
        value={field.value}
        onChange={field.onChange}
        disabled={isPending}
        helperText={help}
        slotProps={{ htmlInput: { maxLength: INQUIRY_NOTE_LENGTH } }}
      />
      <Button
        type="submit"
        variant={isMain ? "contained" : "outlined"}
        loading={isPending}
        disabled={!text}
      >
        {button}
      </Button>
    </Box>
  );
}

/** A form to add a note, which is erased along with the inquiry or the notice. */
export function CaseNote(props: { readonly id: string; readonly of: "inquiries" | "notices" }) {
  const { id, of } = props;
  return (
    <Section title="Add a note">
      <MessageForm
        label="Note"
        help={`Staff only. It is erased with the ${of === "notices" ? "notice" : "inquiry"}.`}
        button="Add note"
        path={`/${of}/${id}/notes`}
        of={of}
        failed="Couldn't add the note. Try again."
      />
    </Section>
  );
}
