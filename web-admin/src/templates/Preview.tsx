import Alert from "@mui/material/Alert";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Tab from "@mui/material/Tab";
import Tabs from "@mui/material/Tabs";
import Typography from "@mui/material/Typography";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useDataProvider } from "react-admin";
import type { TemplatePreview } from "#contracts/http/admin-templates.ts";
import type { TemplateKind } from "#contracts/mail/template-kinds.ts";
import { color } from "#theme/color.ts";
import { ApiError, loadFailureText, messageOf } from "../data/api-error.ts";
import type { ConsoleDataProvider } from "../data/console-data-provider.ts";
import { Section } from "../shared/Section.tsx";
import { framedMail } from "./framed-mail.ts";

/** Milliseconds without a keystroke before the server renders the template. */
const PAUSE_MS = 500;
const PARTS = [
  ["html", "HTML"],
  ["text", "Plain text"],
] as const;
type Part = (typeof PARTS)[number][0];

/** The template as it would be mailed, on sample data: the server renders it, as it does for a mail. */
export function Preview({
  kind,
  subject,
  body,
}: {
  readonly kind: TemplateKind;
  readonly subject: string;
  readonly body: string;
}) {
  const provider = useDataProvider<ConsoleDataProvider>();
  const [asked, setAsked] = useState({ subject, body });
  const [part, setPart] = useState<Part>("html");
  useEffect(() => {
    const timer = setTimeout(() => setAsked({ subject, body }), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [subject, body]);
  const isWritten = asked.subject.trim() !== "" && asked.body.trim() !== "";
  const { data, error, refetch } = useQuery({
    queryKey: ["templates", "preview", kind, asked],
    queryFn: async () => (await provider.previewTemplate(kind, asked)).data,
    enabled: isWritten,
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  });
  return (
    <Section title="Preview on sample data">
      {!isWritten && <Typography color="textSecondary">A mail has a subject and words.</Typography>}
      {isWritten && error && <Refused error={error} onRetry={() => void refetch()} />}
      {/* Without a subject the session has ended, and the sign-in page follows. */}
      {isWritten && !error && data?.subject !== undefined && (
        <>
          <Typography sx={{ overflowWrap: "anywhere" }}>
            <Box component="span" sx={{ color: color.inkMuted }}>
              Subject:{" "}
            </Box>
            {data.subject}
          </Typography>
          <Tabs
            value={part}
            onChange={(_, chosen: Part) => setPart(chosen)}
            aria-label="Part of the mail"
            sx={{ mb: 1 }}
          >
            {PARTS.map(([name, label]) => (
              <Tab
                key={name}
                value={name}
                label={label}
                id={`part-${name}`}
                aria-controls="part-shown"
              />
            ))}
          </Tabs>
          <Box id="part-shown" role="tabpanel" aria-labelledby={`part-${part}`}>
            <Shown part={part} preview={data} />
          </Box>
        </>
      )}
    </Section>
  );
}

function Shown({ part, preview }: { readonly part: Part; readonly preview: TemplatePreview }) {
  if (part === "text")
    return (
      <Box
        component="pre"
        sx={{ m: 0, p: 1.5, whiteSpace: "pre-wrap", overflowWrap: "anywhere", fontSize: 14 }}
        style={{ backgroundColor: color.groundStrong }}
      >
        {preview.text}
      </Box>
    );
  const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce;
  return (
    <Box
      component="iframe"
      title="The mail as HTML"
      // No scripts, no origin, no forms, no windows.
      sandbox=""
      srcDoc={framedMail(preview.html, nonce)}
      sx={{
        display: "block",
        width: "100%",
        height: 480,
        resize: "vertical",
        border: `1px solid ${color.line}`,
        bgcolor: "#fff",
      }}
    />
  );
}

/** What is wrong with the template, or why it could not be rendered. */
function Refused({ error, onRetry }: { readonly error: Error; readonly onRetry: () => void }) {
  const fields = error instanceof ApiError ? Object.entries(error.fields) : [];
  const again = (
    <Button color="inherit" onClick={onRetry}>
      Try again
    </Button>
  );
  if (fields.length === 0)
    return (
      <Alert severity="error" action={again}>
        {loadFailureText("the preview", error)}
      </Alert>
    );
  return (
    <Alert severity="warning">
      {fields.map(([field, sentence]) => (
        <Box key={field}>
          {field === "subject" ? "Subject" : "Body"}: {sentence || messageOf(error, "")}
        </Box>
      ))}
    </Alert>
  );
}
