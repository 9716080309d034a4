import RefreshIcon from "@mui/icons-material/Refresh";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Chip from "@mui/material/Chip";
import Link from "@mui/material/Link";
import { useQueryClient } from "@tanstack/react-query";
import { type ListControllerResult, useListContext, useNotify } from "react-admin";
import { Link as RouterLink } from "react-router-dom";
import type { ReportFilters } from "#contracts/http/admin-reports.ts";
import type { AdminReport } from "#contracts/http/report-view.ts";
import { AMOUNTS } from "#contracts/report/derive/amounts.ts";
import { formatMoney } from "#contracts/report/money.ts";
import { CHARGEBACK_REASONS, CHECK_REASONS, reasonLabel } from "#contracts/report/reasons.ts";
import { COUNTRIES, REPORT_TYPES } from "#contracts/report/words.ts";
import { BulkActions } from "../bulk/BulkActions.tsx";
import { paths } from "../config/paths.ts";
import { personName } from "../record/record-fields.ts";
import { formatCount } from "../shared/formats.ts";
import type { Column } from "../shared/list/columns.tsx";
import {
  DayFilter,
  ListFilters,
  SearchFilter,
  SelectFilter,
  TextFilter,
} from "../shared/list/filters.tsx";
import { NothingHere, RecordList } from "../shared/list/RecordList.tsx";
import { Instant, StatusChip } from "../shared/parts.tsx";
import { totalOf, useStatusCounts } from "../shared/reads.ts";
import { EmptyNote } from "../shared/states.tsx";
import { RowActions } from "./actions.tsx";
import { StatusTabs } from "./StatusTabs.tsx";

const REASONS = Object.keys({ ...CHARGEBACK_REASONS, ...CHECK_REASONS })
  .map((code) => [code, reasonLabel(code)] as const)
  .sort((a, b) => a[1].localeCompare(b[1]));
const TAB_FILTERS = ["status", "asked", "to_decide"];

const MORE_FILTERS = [
  "from",
  "to",
  "amount_min",
  "amount_max",
  "country",
  "state",
  "reporter",
  "evidence",
];

function MoreFilters() {
  return (
    <>
      <DayFilter source="from" label="Submitted from" />
      <DayFilter source="to" label="Submitted to" />
      <TextFilter source="amount_min" label="Amount from" isNumber />
      <TextFilter source="amount_max" label="Amount to" isNumber />
      <SelectFilter source="country" label="Country" options={COUNTRIES} />
      <TextFilter source="state" label="State" />
      <TextFilter source="reporter" label="Reporter’s company" maxLength={100} />
      <SelectFilter
        source="evidence"
        label="Evidence"
        options={[
          ["with", "With files"],
          ["without", "Without files"],
        ]}
      />
    </>
  );
}

/** Only pending reports wait for a decision, so hide this filter on the tabs of other statuses. */
function WaitingFilter() {
  const { status, asked, to_decide }: ReportFilters = useListContext().filterValues;
  if (!to_decide && (asked || (status && status !== "pending"))) return null;
  return (
    <SelectFilter
      source="to_decide"
      label="Waiting"
      options={[
        ["all", "To decide"],
        ["late", "Longer than a day"],
      ]}
    />
  );
}

const TWO_LINES = {
  whiteSpace: "normal",
  display: "-webkit-box",
  WebkitBoxOrient: "vertical",
  WebkitLineClamp: 2,
  overflow: "hidden",
  overflowWrap: "anywhere",
} as const;

const COLUMNS: readonly Column<AdminReport>[] = [
  {
    source: "last_name",
    label: "Name",
    sortable: true,
    width: 160,
    render: (report) => (
      <Link
        component={RouterLink}
        to={paths.report(report.id)}
        title={personName(report)}
        underline="hover"
      >
        {personName(report)}
      </Link>
    ),
    second: {
      source: "created_at",
      label: "Submitted",
      render: ({ created_at, origin }) => (
        <>
          <Instant at={created_at} as="day" />
          {origin === "sample" && " · Sample"}
        </>
      ),
    },
  },
  {
    source: "amount",
    label: "Amount",
    sortable: true,
    align: "right",
    width: 100,
    phone: "end",
    render: ({ amount, currency }) => formatMoney(amount, currency),
  },
  {
    source: "title",
    label: "Title",
    phone: ({ title }) => title,
    render: ({ title }) => (
      <Box title={title} sx={TWO_LINES}>
        {title}
      </Box>
    ),
  },
  {
    source: "status",
    label: "Status",
    sortable: true,
    width: 119,
    phone: "end",
    render: (report) => <StatusMark report={report} />,
  },
  {
    source: "verified",
    label: "Verified",
    width: 61,
    phone: ({ verified }) => (verified ? "Email verified" : "Email not verified"),
    render: ({ verified }) => (verified ? "Yes" : "No"),
  },
  {
    source: "chargebacks",
    label: "Additional CBs",
    align: "right",
    width: 74,
    phone: "hidden",
    render: ({ chargebacks }) => chargebacks.length,
  },
  {
    source: "total_due",
    label: "Fees & Total",
    align: "right",
    width: 104,
    phone: "hidden",
    render: (report) => <FeesAndTotal report={report} />,
  },
  {
    source: "actions",
    label: "Emergency Actions",
    align: "right",
    width: 104,
    phone: "none",
    render: (report) => <RowActions report={report} />,
  },
];

/** All reports, by status, filter and page. All three are in the URL. */
export function ReportList() {
  const notify = useNotify();
  const queryClient = useQueryClient();
  const { counts, failed } = useStatusCounts();
  const refresh = async (list: ListControllerResult<AdminReport>) => {
    void queryClient.invalidateQueries({ queryKey: ["reports", "counts"] });
    const loaded = loadedCount(await list.refetch());
    if (loaded !== undefined) notify(`Loaded ${loaded} reports successfully`, { type: "success" });
  };
  return (
    <RecordList<AdminReport>
      resource="reports"
      of={["report", "reports"]}
      columns={COLUMNS}
      sort={{ field: "created_at", order: "DESC" }}
      to={({ id }) => paths.report(id)}
      selectAs={personName}
      saved
      exports="reports"
      lead={<QuickStats counts={counts} failed={failed} />}
      actions={(list) => (
        <Button variant="outlined" startIcon={<RefreshIcon />} onClick={() => void refresh(list)}>
          Refresh
        </Button>
      )}
      onRetry={(list) => void refresh(list)}
      tabs={({ filterValues, setFilters }) => (
        <StatusTabs
          filter={filterValues}
          counts={counts}
          onChange={(tab) => setFilters({ ...filterValues, ...tab })}
        />
      )}
      filters={
        <ListFilters others={TAB_FILTERS} moreNames={MORE_FILTERS} more={<MoreFilters />}>
          <SearchFilter placeholder="Name, title, text, city or ID" />
          <SelectFilter
            source="verified"
            label="Verified"
            options={[
              ["true", "Yes"],
              ["false", "No"],
            ]}
          />
          <SelectFilter source="report_type" label="Type" options={REPORT_TYPES} />
          <SelectFilter source="reason" label="Reason" options={REASONS} />
          <WaitingFilter />
        </ListFilters>
      }
      bulk={<BulkActions />}
      empty={(list) => <NoReports list={list} />}
    />
  );
}

/** Number of rows in a refetched list; undefined if that failed, e.g. after sign-out. */
function loadedCount(result: unknown): number | undefined {
  const { isError, data } = (result ?? {}) as {
    isError?: boolean;
    data?: { data?: unknown[]; total?: number };
  };
  return isError || data?.total === undefined ? undefined : data.data?.length;
}

function NoReports({ list }: { readonly list: ListControllerResult<AdminReport> }) {
  const filter: ReportFilters = list.filterValues;
  const is = (wanted: ReportFilters) => JSON.stringify(wanted) === JSON.stringify(filter);
  if (is({ to_decide: "all" }))
    return <EmptyNote title="The queue is empty">No reports are waiting for a decision.</EmptyNote>;
  if (is({ status: "pending", verified: "false" }) || is({ verified: "false", status: "pending" }))
    return <EmptyNote title="No unconfirmed reports">Every pending report is confirmed.</EmptyNote>;
  if (filter.status && is({ status: filter.status }))
    return <EmptyNote title="No reports in this status">Choose another tab.</EmptyNote>;
  if (is({}))
    return (
      <EmptyNote title="No reports yet">
        Reports appear here as soon as they are submitted.
      </EmptyNote>
    );
  return <NothingHere list={list} many="reports" />;
}

function QuickStats({ counts, failed }: ReturnType<typeof useStatusCounts>) {
  const figures = [
    ["Total", counts && totalOf(counts)],
    ["Pending", counts?.pending],
    ["Approved", counts?.approved],
    ["Rejected", counts?.rejected],
  ] as const;
  const unknown = failed ? "not known" : "…";
  return (
    <Box component="ul" aria-label="Quick Stats" sx={{ display: "flex", flexWrap: "wrap", gap: 1 }}>
      {figures.map(([label, count]) => (
        <li key={label}>
          <Chip
            variant="outlined"
            label={`${label}: ${count === undefined ? unknown : formatCount(count)}`}
            sx={{ bgcolor: "background.paper" }}
          />
        </li>
      ))}
    </Box>
  );
}

function StatusMark({ report }: { readonly report: AdminReport }) {
  return (
    <>
      <StatusChip status={report.status} />
      {report.held && (
        <Box component="span" sx={{ color: "warning.main", fontWeight: 600, display: "block" }}>
          Held by a notice
        </Box>
      )}
    </>
  );
}

function FeesAndTotal({ report }: { readonly report: AdminReport }) {
  const { fees: names } = AMOUNTS[report.report_type];
  const fees = names.reduce((sum, name) => sum + (report[name] ?? 0), 0);
  return (
    <>
      {formatMoney(report.total_due, report.currency)}
      {fees > 0 && (
        <Box component="span" sx={{ color: "text.secondary", display: "block" }}>
          fees {formatMoney(fees, report.currency)}
        </Box>
      )}
    </>
  );
}
