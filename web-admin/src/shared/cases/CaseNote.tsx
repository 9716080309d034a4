import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import TextField from "@mui/material/TextField";
import { useState } from "react";
import { useDataProvider } from "react-admin";
import { INQUIRY_NOTE_LENGTH } from "#contracts/http/admin-inquiries.ts";
import type { ConsoleDataProvider } from "../../data/console-data-provider.ts";
import { Section } from "../Section.tsx";
import { useSending } from "../use-sending.ts";

/** Adds a note, which is erased with the inquiry or the notice. */
export function CaseNote({
  id,
  of = "inquiries",
}: {
  readonly id: string;
  readonly of?: "inquiries" | "notices";
}) {
  const provider = useDataProvider<ConsoleDataProvider>();
  const [text, setText] = useState("");
  const said = text.trim();
  const { mutate, isPending } = useSending(
    () => provider.command(`/${of}/${id}/notes`, { text: said }),
    { again: [of], failed: "Couldn't add the note. Try again.", onDone: () => setText("") },
  );
  return (
    <Section title="Add a note">
      <Box
        component="form"
        onSubmit={(event) => {
          event.preventDefault();
          if (said && !isPending) mutate();
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
          helperText={`Staff only. It is erased with the ${of === "notices" ? "notice" : "inquiry"}.`}
          slotProps={{ htmlInput: { maxLength: INQUIRY_NOTE_LENGTH } }}
        />
        <Button type="submit" variant="outlined" loading={isPending} disabled={!said}>
          Add note
        </Button>
      </Box>
    </Section>
  );
}
