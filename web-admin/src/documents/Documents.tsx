import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Typography from "@mui/material/Typography";
import { lazy, Suspense, useState } from "react";
import { useDataProvider } from "react-admin";
import { Link as RouterLink } from "react-router-dom";
import {
  DOCUMENT_KINDS,
  type DocumentKind,
  type ListedDocument,
} from "#contracts/http/documents.ts";
import { FILE_TYPES } from "#contracts/report/evidence-rules.ts";
import { LETTER } from "#contracts/report/resolution.ts";
import { paths } from "../config/paths.ts";
import type { ConsoleDataProvider } from "../data/console-data-provider.ts";
import { type Columns, useColumns } from "../shared/columns/use-columns.ts";
import { counted, formatInstant } from "../shared/formats.ts";
import { Instant } from "../shared/Instant.tsx";
import { ListFilter } from "../shared/ListFilter.tsx";
import { PagedList } from "../shared/PagedList.tsx";
import { ReportLink } from "../shared/ReportLink.tsx";
import { usePages } from "../shared/use-pages.ts";
import { DeleteDialog } from "./DeleteDialog.tsx";

const Preview = lazy(async () => ({ default: (await import("./Preview.tsx")).Preview }));

const PUBLISHED = { yes: "Published", no: "Not published" } as const;

const COLUMNS = ["Kind and type", "Added", "On the site"] as const;
type Shown = Columns<(typeof COLUMNS)[number]>;

/** What is asked about a document now. */
interface Asked {
  readonly act: "open" | "delete";
  readonly document: ListedDocument;
}

/** Evidence and letters of all reports. */
export function Documents() {
  const provider = useDataProvider<ConsoleDataProvider>();
  const list = usePages("documents", ["kind", "published"], provider.documents);
  const columns = useColumns("documents", COLUMNS);
  const [asked, setAsked] = useState<Asked>();
  const close = () => setAsked(undefined);
  return (
    <>
      <PagedList
        list={list}
        what="documents"
        columns={columns}
        filters={
          <>
            <ListFilter
              list={list}
              name="kind"
              label="Kind"
              options={Object.entries(DOCUMENT_KINDS)}
              width={200}
            />
            <ListFilter
              list={list}
              name="published"
              label="On the site"
              options={Object.entries(PUBLISHED)}
              width={200}
            />
          </>
        }
      >
        {list.pages?.flatMap(({ documents }) =>
          documents.map((document) => (
            <Row key={document.file_id} document={document} columns={columns} onAsk={setAsked} />
          )),
        ) ?? []}
      </PagedList>
      <Suspense fallback={null}>
        {asked?.act === "open" && <Preview document={asked.document} onClose={close} />}
      </Suspense>
      {asked?.act === "delete" && <DeleteDialog document={asked.document} onClose={close} />}
    </>
  );
}

function Row({
  document,
  columns,
  onAsk,
}: {
  readonly document: ListedDocument;
  readonly columns: Shown;
  readonly onAsk: (asked: Asked) => void;
}) {
  const { report, kind, type, added_at, published } = document;
  const what = nameOf(document);
  return (
    <Box
      component="li"
      sx={{
        display: "grid",
        gap: 1,
        alignItems: "center",
        gridTemplateColumns: { md: "minmax(0, 2fr) minmax(0, 2fr) 290px" },
      }}
    >
      <ReportLink report={report} />
      <Box>
        {columns.shows("Kind and type") && (
          <Typography>
            {DOCUMENT_KINDS[kind as DocumentKind] ?? kind}, {FILE_TYPES[type]}
          </Typography>
        )}
        {columns.shows("Added") && (
          <Typography color="textSecondary">
            Added <Instant at={added_at} />
          </Typography>
        )}
        {columns.shows("On the site") && kind !== LETTER && (
          <Typography color="textSecondary">
            {published > 0
              ? counted(published, "published picture", "published pictures")
              : "Not published"}
          </Typography>
        )}
      </Box>
      <Box sx={{ display: "flex", gap: 1, flexWrap: "wrap" }}>
        <Button
          variant="outlined"
          aria-label={`Open ${what}`}
          onClick={() => onAsk({ act: "open", document })}
        >
          Open
        </Button>
        {kind !== LETTER && (
          <Button
            component={RouterLink}
            to={paths.report(report.id)}
            aria-label={`${published > 0 ? "Hide" : "Publish"} ${what}, on the report's page`}
          >
            {published > 0 ? "Hide…" : "Publish…"}
          </Button>
        )}
        <Button
          color="warning"
          aria-label={`Delete ${what}`}
          onClick={() => onAsk({ act: "delete", document })}
        >
          Delete…
        </Button>
      </Box>
    </Box>
  );
}

/** "evidence of Quinn Ames, added May 2, 2026, 2:05:09 PM EST". */
function nameOf({ kind, report, added_at }: ListedDocument): string {
  const words = DOCUMENT_KINDS[kind as DocumentKind] ?? kind;
  const person = `${report.first_name} ${report.last_name}`;
  return `${words.toLowerCase()} of ${person}, added ${formatInstant(added_at)}`;
}
