import Box from "@mui/material/Box";
import Tab from "@mui/material/Tab";
import Tabs from "@mui/material/Tabs";
import Typography from "@mui/material/Typography";
import { useState } from "react";
import { ADMIN_TEMPLATES, type TemplatePreview } from "#contracts/http/admin-templates.ts";
import type { TemplateKind } from "#contracts/mail/template-kinds.ts";
import { color } from "#theme/color.ts";
import { Preview } from "../shared/versions/Preview.tsx";
import { urlOf } from "../shared/versions/use-commands.ts";

/** The rendered template with sample data. */
export function EmailPreview({
  kind,
  ...source
}: {
  readonly kind: TemplateKind;
  readonly subject: string;
  readonly body: string;
}) {
  const [part, setPart] = useState<"html" | "text">("html");
  return (
    <Preview<TemplatePreview>
      title="Preview with sample data"
      url={`${urlOf(ADMIN_TEMPLATES, kind)}/preview`}
      source={source}
      empty="Enter a subject and a body to see the email."
    >
      {({ subject, text, html }) => (
        <>
          <Typography sx={{ overflowWrap: "anywhere" }}>
            <Box component="span" sx={{ color: color.inkMuted }}>
              Subject:{" "}
            </Box>
            {subject}
          </Typography>
          <Tabs
            value={part}
            onChange={(_, chosen: typeof part) => setPart(chosen)}
            aria-label="Part of the email"
            sx={{ mb: 1 }}
          >
            <Tab value="html" label="HTML" id="part-html" aria-controls="part-shown" />
            <Tab value="text" label="Plain text" id="part-text" aria-controls="part-shown" />
          </Tabs>
          <Box id="part-shown" role="tabpanel" aria-labelledby={`part-${part}`}>
            {part === "html" ? (
              <Framed html={html} />
            ) : (
              <Box component="pre" sx={plain}>
                {text}
              </Box>
            )}
          </Box>
        </>
      )}
    </Preview>
  );
}

/** Style of preformatted text. */
export const plain = {
  m: 0,
  p: 1.5,
  whiteSpace: "pre-wrap",
  overflowWrap: "anywhere",
  fontSize: 14,
  bgcolor: color.groundStrong,
} as const;

function Framed({ html }: { readonly html: string }) {
  const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce;
  return (
    <Box
      component="iframe"
      title="The email as HTML"
      // No scripts, no origin, no forms, no popups.
      sandbox=""
      srcDoc={framedMail(html, nonce)}
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

/**
 * Prepares the HTML of an email for a frame in the console. The console's policy only allows styles with the page's
 * nonce, so inline styles are moved to a style sheet with that nonce. Links are disabled, because following one would
 * replace the preview.
 * @param html as laid out by the server: it escapes quotation marks in text, so attributes can be matched reliably.
 */
export function framedMail(html: string, nonce: string | undefined): string {
  const rules: string[] = [];
  const inert = html
    .replace(/ style="([^"<>]*)"/g, (_, style: string) => {
      rules.push(`[data-style="${rules.length}"]{${style}}`);
      return ` data-style="${rules.length - 1}"`;
    })
    .replace(/<a( [^>]*)? href="[^"]*"/g, "<a$1 data-link");
  const sheet = [
    "body{margin:16px;overflow-wrap:anywhere}",
    "a[data-link]{text-decoration:underline}",
    ...rules,
  ].join("\n");
  const style = `<style${nonce ? ` nonce="${nonce}"` : ""}>\n${sheet}\n</style>`;
  return inert.replace("</head>", () => `${style}</head>`);
}
