import Box from "@mui/material/Box";
import type { MouseEvent } from "react";
import { ADMIN_CONTENT } from "#contracts/http/content.ts";
import { color } from "#theme/color.ts";
import { Preview } from "../shared/versions/Preview.tsx";

/** The text as the site would show it. */
export function ContentPreview({ body }: { readonly body: string }) {
  return (
    <Preview<{ html: string }>
      title="Preview"
      url={`${ADMIN_CONTENT}/preview`}
      source={{ body }}
      empty="Nothing to preview yet."
    >
      {({ html }) => <Rendered html={html} />}
    </Preview>
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
