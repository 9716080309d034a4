import Link from "@mui/material/Link";
import Typography from "@mui/material/Typography";
import { useParams } from "react-router-dom";
import { CONTENT_KINDS, contentPath } from "#contracts/content/content-rules.ts";
import { ADMIN_CONTENT, type ContentRecord } from "#contracts/http/content.ts";
import { paths } from "../config/paths.ts";
import { StatusChip } from "../shared/StatusChip.tsx";
import { urlOf } from "../shared/versions/use-commands.ts";
import { VersionedEditor } from "../shared/versions/VersionedEditor.tsx";
import { VersionedPage } from "../shared/versions/VersionedPage.tsx";
import { ContentPreview } from "./ContentPreview.tsx";
import { contentEditing, statusText } from "./labels.ts";

/** A text with its editor. */
export function ContentPage() {
  const { id = "" } = useParams();
  const url = urlOf(ADMIN_CONTENT, id);
  const place = { resource: "content", what: "text", url, list: paths.content };
  return (
    <VersionedPage<ContentRecord>
      place={place}
      absence="Check the address for typos."
      all="All content"
    >
      {(record, reload) => (
        <VersionedEditor
          key={id}
          of={contentEditing}
          place={place}
          record={record}
          reload={reload}
          facts={(now) => <Facts record={now} />}
          preview={({ body }) => <ContentPreview body={body} />}
        />
      )}
    </VersionedPage>
  );
}

function Facts({ record }: { readonly record: ContentRecord }) {
  const { type, slug, status, version } = record;
  const path = contentPath(type, slug);
  return (
    <>
      <StatusChip status={status} label={statusText(record)} />
      <Typography color="textSecondary">
        {CONTENT_KINDS[type]}
        {version && `, version ${version}`}
      </Typography>
      {status === "published" ? (
        <Link href={path} target="_blank" rel="noopener">
          Open {path} on the site
        </Link>
      ) : (
        <Typography color="textSecondary">{path}, not published</Typography>
      )}
    </>
  );
}
