import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import TextField from "@mui/material/TextField";
import { useState } from "react";
import { useDataProvider } from "react-admin";
import { INQUIRY_NOTE_LENGTH } from "#contracts/http/admin-inquiries.ts";
import type { ConsoleDataProvider } from "../data/console-data-provider.ts";
import { Section } from "../shared/Section.tsx";
import { useInquiryCommand } from "./use-inquiry-command.ts";

/** Adds a note, which is erased with the inquiry. */
export function InquiryNote({ id }: { readonly id: string }) {
  const provider = useDataProvider<ConsoleDataProvider>();
  const [text, setText] = useState("");
  const said = text.trim();
  const { mutate, isPending } = useInquiryCommand(
    () => provider.addInquiryNote(id, said),
    () => setText(""),
  );
  return (
    <Section title="Add a note">
      <Box
        component="form"
        onSubmit={(event) => {
          event.preventDefault();
          if (said && !isPending) mutate(undefined);
        }}
        sx={{ display: "grid", gap: 1, justifyItems: "start" }}
      >
        <TextField
          fullWidth
          multiline
          minRows={2}
          label="Note"
          value={text}
          onChange={(event) => setText(event.target.value)}
          disabled={isPending}
          helperText="Staff only. It is erased with the inquiry."
          slotProps={{ htmlInput: { maxLength: INQUIRY_NOTE_LENGTH } }}
        />
        <Button type="submit" variant="outlined" loading={isPending} disabled={!said}>
          Add note
        </Button>
      </Box>
    </Section>
  );
}
