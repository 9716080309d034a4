import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import TextField from "@mui/material/TextField";
import { WarnWhenUnsavedChanges } from "react-admin";
import { useController, useForm } from "react-hook-form";
import { INQUIRY_NOTE_LENGTH } from "#contracts/http/admin-inquiries.ts";
import { Section } from "../Section.tsx";
import { useSending } from "../use-sending.ts";

/** A text about an inquiry or a notice, which is sent whole. */
export function SayForm(props: {
  readonly label: string;
  readonly help: string;
  readonly button: string;
  /** Where it is sent, and what besides. */
  readonly path: string;
  readonly more?: object;
  readonly of: "inquiries" | "notices";
  readonly failed: string;
  /** Whether it is what the page is for: leaving it asks first. A page has one such form. */
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

/** Adds a note, which is erased with the inquiry or the notice. */
export function CaseNote(props: { readonly id: string; readonly of: "inquiries" | "notices" }) {
  const { id, of } = props;
  return (
    <Section title="Add a note">
      <SayForm
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
