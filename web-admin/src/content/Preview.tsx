import Alert from "@mui/material/Alert";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Typography from "@mui/material/Typography";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { type MouseEvent, useEffect, useState } from "react";
import { useDataProvider } from "react-admin";
import { color } from "#theme/color.ts";
import { loadFailureText } from "../data/api-error.ts";
import type { ConsoleDataProvider } from "../data/console-data-provider.ts";
import { Section } from "../shared/Section.tsx";

/** Milliseconds without a keystroke before the server renders the text. */
const PAUSE_MS = 500;

/** The text as the site would show it: the server renders it, as it does for the site. */
export function Preview({ body }: { readonly body: string }) {
  const provider = useDataProvider<ConsoleDataProvider>();
  const [asked, setAsked] = useState(body);
  useEffect(() => {
    const timer = setTimeout(() => setAsked(body), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [body]);
  const { data, error, refetch } = useQuery({
    queryKey: ["content", "preview", asked],
    queryFn: async () => (await provider.previewText(asked)).data,
    enabled: asked.trim() !== "",
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  });
  return (
    <Section title="Preview">
      {error && (
        <Alert
          severity="error"
          action={
            <Button color="inherit" onClick={() => void refetch()}>
              Try again
            </Button>
          }
        >
          {loadFailureText("the preview", error)}
        </Alert>
      )}
      {asked.trim() === "" ? (
        <Typography color="textSecondary">There is nothing to show yet.</Typography>
      ) : (
        // Without a text the session has ended, and the sign-in page follows.
        typeof data === "string" && <Rendered html={data} />
      )}
    </Section>
  );
}

function Rendered({ html }: { readonly html: string }) {
  // Its headings have ids that the console's own page may have, too.
  const inert = html.replace(/ id="[^"]*"/g, "");
  // Following a link would leave what is typed.
  const stay = (event: MouseEvent) => {
    if ((event.target as Element).closest("a")) event.preventDefault();
  };
  return (
    <Box
      onClickCapture={stay}
      sx={{
        overflowWrap: "anywhere",
        "& h1, & h2, & h3": { fontSize: 20, lineHeight: "28px", mt: 3, mb: 0 },
        "& > :first-of-type": { mt: 0 },
        "& a": { color: color.primary },
        "& p, & ul, & ol": { my: 1 },
        "& pre": { whiteSpace: "pre-wrap", p: 1.5, bgcolor: color.groundStrong },
        "& blockquote": { mx: 0, my: 2, p: 2, borderLeft: `4px solid ${color.primary}` },
        "& table": { width: "100%", borderCollapse: "collapse" },
        '& [role="group"]': { overflowX: "auto", overflowWrap: "normal" },
        "& th, & td": { p: 1, textAlign: "left", borderBottom: `1px solid ${color.line}` },
        '& [align="center"]': { textAlign: "center" },
        '& [align="right"]': { textAlign: "right" },
      }}
      // biome-ignore lint/security/noDangerouslySetInnerHtml: the server's Markdown renderer lets no HTML in.
      dangerouslySetInnerHTML={{ __html: inert }}
    />
  );
}
