import Alert from "@mui/material/Alert";
import Box from "@mui/material/Box";
import { type ListControllerResult, useGetList } from "react-admin";
import type { OpenResolution, OpenResolutions } from "#contracts/http/resolution.ts";
import { formatMoney } from "#contracts/report/money.ts";
import { paths } from "../config/paths.ts";
import { durationText, formatBoth } from "../shared/formats.ts";
import type { Column } from "../shared/list/columns.tsx";
import { ListTabs } from "../shared/list/ListTabs.tsx";
import { RecordList } from "../shared/list/RecordList.tsx";
import { ReportName } from "../shared/parts.tsx";
import { EmptyNote } from "../shared/states.tsx";
import { stageText } from "./labels.ts";

type List = ListControllerResult<OpenResolution>;

const TABS = {
  "": "All",
  requested: "Letter to check",
  letter_accepted: "Fee due",
} as const;
const PAGE = 100;

const COLUMNS: readonly Column<OpenResolution>[] = [
  { source: "report", label: "Report", render: (request) => <ReportName report={request} /> },
  {
    source: "letter",
    label: "Letter",
    width: 112,
    render: (request) => stageText(request).letter,
  },
  {
    source: "payment",
    label: "Payment",
    width: 204,
    render: (request) =>
      `${stageText(request).payment} (${formatMoney(request.fee.amount, request.fee.currency)})`,
  },
  {
    source: "since",
    label: "Waiting for",
    width: 124,
    phone: "end",
    render: ({ since }) => (
      <Box
        component="time"
        dateTime={since}
        title={formatBoth(since)}
        sx={{ display: "inline-block", "&::first-letter": { textTransform: "uppercase" } }}
      >
        {durationText(Date.now() - Date.parse(since), 24)}
      </Box>
    ),
  },
  {
    source: "is_public",
    label: "On the site",
    width: "24%",
    render: (request) => (
      <Box component="span" sx={{ whiteSpace: { lg: "normal" } }}>
        {stageText(request).hint ?? "The report is public"}
      </Box>
    ),
  },
];

/** Open requests for the RESOLVED banner. Staff act on them on the report's page. */
export function ResolutionList() {
  return (
    <RecordList<OpenResolution>
      resource="resolutions"
      of={["request", "requests"]}
      columns={COLUMNS}
      perPage={PAGE}
      pageSizes={[PAGE]}
      to={({ id }) => paths.report(id)}
      tabs={(list) => <StageTabs list={list} />}
      empty={
        <EmptyNote title="No open requests">
          Owners of published reports ask for the RESOLVED banner with a notarized letter.
        </EmptyNote>
      }
    />
  );
}

function StageTabs({ list: { filterValues, setFilters } }: { readonly list: List }) {
  // The list's own query without a filter.
  const { meta } = useGetList<OpenResolution>(
    "resolutions",
    { pagination: { page: 1, perPage: PAGE }, sort: { field: "id", order: "ASC" }, filter: {} },
    { retry: false },
  );
  const open = meta as OpenResolutions | undefined;
  const labelOf = (stage: keyof typeof TABS) => {
    if (!open) return TABS[stage];
    const all = open.resolutions.filter((request) => !stage || request.stage === stage);
    return `${TABS[stage]} (${all.length})`;
  };
  return (
    <>
      <ListTabs
        label="Requests by next step"
        value={filterValues.stage ?? ""}
        tabs={(Object.keys(TABS) as (keyof typeof TABS)[]).map((stage) => [stage, labelOf(stage)])}
        isCounted={open !== undefined}
        onChange={(stage) => setFilters(stage ? { stage } : {})}
      />
      {open?.has_more && (
        <Alert severity="info" sx={{ m: 2 }}>
          Only the {open.resolutions.length} oldest requests are shown.
        </Alert>
      )}
    </>
  );
}
