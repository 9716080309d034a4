import Alert from "@mui/material/Alert";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import LinearProgress from "@mui/material/LinearProgress";
import Paper from "@mui/material/Paper";
import { useTheme } from "@mui/material/styles";
import Typography from "@mui/material/Typography";
import useMediaQuery from "@mui/material/useMediaQuery";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useDataProvider, useRequireAccess } from "react-admin";
import { useSearchParams } from "react-router-dom";
import type { TemplateItem } from "#contracts/http/admin-templates.ts";
import { TEMPLATE_STATUSES, TEMPLATE_TYPES } from "#contracts/mail/template-kinds.ts";
import { loadFailureText } from "../data/api-error.ts";
import type { ConsoleDataProvider } from "../data/console-data-provider.ts";
import { useColumns } from "../shared/columns/use-columns.ts";
import { Delayed } from "../shared/Delayed.tsx";
import { EmptyNote } from "../shared/EmptyNote.tsx";
import { FilterBar } from "../shared/FilterBar.tsx";
import { counted } from "../shared/formats.ts";
import { SearchField } from "../shared/SearchField.tsx";
import { SelectField } from "../shared/SelectField.tsx";
import { DeleteTemplate } from "./DeleteTemplate.tsx";
import { type CopiedTemplate, NewTemplateDialog } from "./NewTemplateDialog.tsx";
import { TemplateCards } from "./TemplateCards.tsx";
import { TEMPLATE_COLUMNS, TemplateTable } from "./TemplateTable.tsx";
import { filtered } from "./template-words.ts";
import { ALL_TEMPLATES } from "./use-template-commands.ts";

/** The templates of all mails, by kind. Filters are in the address. */
export function TemplateList() {
  const { isPending: isChecking } = useRequireAccess({ resource: "templates", action: "list" });
  const isWide = useMediaQuery(useTheme().breakpoints.up("md"));
  const provider = useDataProvider<ConsoleDataProvider>();
  const [query, setQuery] = useSearchParams();
  /** The template to copy, or a new one of what ships. */
  const [copied, setCopied] = useState<CopiedTemplate | "new">();
  const [deleted, setDeleted] = useState<TemplateItem>();
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ALL_TEMPLATES,
    queryFn: async () => (await provider.templates()).data,
    enabled: !isChecking,
    retry: false,
  });
  const filter = {
    type: query.get("type") ?? "",
    status: query.get("status") ?? "",
    q: query.get("q") ?? "",
  };
  const narrow = (change: Partial<typeof filter>) =>
    setQuery(
      Object.fromEntries(Object.entries({ ...filter, ...change }).filter(([, value]) => value)),
      { replace: true },
    );
  // Once the session has ended there is no list, and the sign-in page follows.
  const items = Array.isArray(data) ? filtered(data as readonly TemplateItem[], filter) : undefined;
  const isNarrowed = Object.values(filter).some(Boolean);
  const columns = useColumns("templates", TEMPLATE_COLUMNS);
  const rows = { items, columns, onDuplicate: setCopied, onDelete: setDeleted };
  return (
    <Paper sx={{ border: 1, borderColor: "divider" }}>
      <Box sx={{ display: "flex", flexWrap: "wrap", gap: 1, alignItems: "center", p: 2, pb: 0 }}>
        <Typography sx={{ flex: "1 1 240px" }} color="textSecondary">
          One template of each kind of mail is active. Where none was added, it is the shipped one.
        </Typography>
        <Button variant="contained" onClick={() => setCopied("new")}>
          Add a template
        </Button>
      </Box>
      <FilterBar
        columns={columns}
        active={(filter.type ? 1 : 0) + (filter.status ? 1 : 0)}
        onClear={isNarrowed ? () => narrow({ type: "", status: "", q: "" }) : undefined}
        search={
          <SearchField
            placeholder="Name, kind or subject"
            value={filter.q}
            onSearch={(q) => narrow({ q })}
          />
        }
      >
        <SelectField
          label="Type"
          value={filter.type || undefined}
          options={Object.entries(TEMPLATE_TYPES)}
          onChange={(type) => narrow({ type: type ?? "" })}
        />
        <SelectField
          label="Status"
          value={filter.status || undefined}
          options={Object.entries(TEMPLATE_STATUSES)}
          onChange={(status) => narrow({ status: status ?? "" })}
        />
      </FilterBar>
      <Box sx={{ height: 4 }}>
        {isFetching && (
          <Delayed>
            <LinearProgress aria-label="Loading templates" />
          </Delayed>
        )}
      </Box>
      {error && (
        <Alert
          severity="error"
          sx={{ m: 2 }}
          action={
            <Button color="inherit" onClick={() => void refetch()}>
              Try again
            </Button>
          }
        >
          {loadFailureText("templates", error)}
        </Alert>
      )}
      {items && (
        <Typography role="status" color="textSecondary" sx={{ px: 2, pb: 1 }}>
          {counted(items.length, "template", "templates")}
        </Typography>
      )}
      {items?.length === 0 ? (
        <EmptyNote title={isNarrowed ? "No templates match these filters" : "No templates"} />
      ) : (
        !(error && !items) && (isWide ? <TemplateTable {...rows} /> : <TemplateCards {...rows} />)
      )}
      {copied && (
        <NewTemplateDialog
          of={copied === "new" ? undefined : copied}
          onClose={() => setCopied(undefined)}
        />
      )}
      {deleted && <DeleteTemplate template={deleted} onClose={() => setDeleted(undefined)} />}
    </Paper>
  );
}
