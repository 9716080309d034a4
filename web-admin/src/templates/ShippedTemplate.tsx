import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Typography from "@mui/material/Typography";
import { useState } from "react";
import type { TemplateRecord } from "#contracts/http/admin-templates.ts";
import { Section } from "../shared/Section.tsx";
import { NewTemplateDialog } from "./NewTemplateDialog.tsx";
import { Preview } from "./Preview.tsx";
import { TemplateHeading } from "./TemplateHeading.tsx";
import { Variables } from "./Variables.tsx";

/** The template that the software ships for a kind: it can be read and copied, and nothing else. */
export function ShippedTemplate({ record }: { readonly record: TemplateRecord }) {
  const { kind, subject, body, status } = record;
  const [isCopying, setCopying] = useState(false);
  return (
    <Box sx={{ maxWidth: 1280, display: "grid", gap: 2, gridTemplateColumns: "minmax(0, 1fr)" }}>
      <TemplateHeading record={record}>
        <Button variant="contained" onClick={() => setCopying(true)}>
          Add a template from it
        </Button>
      </TemplateHeading>
      <Typography>
        It came with the software and cannot be changed. Mails read as it does
        {status === "active" ? "" : " again"} whenever no other template of this kind is active.
      </Typography>
      <Box
        sx={{
          display: "grid",
          gap: 2,
          gridTemplateColumns: { xs: "minmax(0, 1fr)", md: "1fr 1fr" },
        }}
      >
        <Section title="Words">
          <Typography sx={{ mb: 1, overflowWrap: "anywhere" }}>Subject: {subject}</Typography>
          <Box
            component="pre"
            sx={{ m: 0, whiteSpace: "pre-wrap", overflowWrap: "anywhere", fontSize: 14 }}
          >
            {body}
          </Box>
        </Section>
        <Preview kind={kind} subject={subject} body={body} />
      </Box>
      <Variables kind={kind} />
      {isCopying && <NewTemplateDialog of={record} onClose={() => setCopying(false)} />}
    </Box>
  );
}
