import Alert from "@mui/material/Alert";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Typography from "@mui/material/Typography";
import { lazy, Suspense, useState } from "react";
import { useDataProvider } from "react-admin";
import { BULK_REPORTS } from "#contracts/http/jobs.ts";
import type { AdminReport } from "#contracts/http/report-view.ts";
import { color } from "#theme/color.ts";
import { loadFailureText } from "../../data/api-error.ts";
import type { ConsoleDataProvider } from "../../data/console-data-provider.ts";
import { formatCount } from "../../shared/formats.ts";
import { BULK_ACTIONS, type BulkActionName, type SelectedReport } from "./bulk-words.ts";
import type { Sort } from "./ReportTable.tsx";
import type { Selection } from "./use-selection.ts";

const BulkDialog = lazy(async () => ({ default: (await import("./BulkDialog.tsx")).BulkDialog }));
const ACTIONS = Object.entries(BULK_ACTIONS) as [BulkActionName, { readonly label: string }][];

/** What can be done with the selected reports; nothing while none is selected. */
export function BulkBar({
  selection,
  list,
}: {
  readonly selection: Selection;
  readonly list: {
    readonly filter: object;
    readonly sort: Sort;
    readonly total: number | undefined;
  };
}) {
  const provider = useDataProvider<ConsoleDataProvider>();
  const [asked, setAsked] = useState<{
    readonly action: BulkActionName;
    readonly reports: readonly SelectedReport[];
  }>();
  const [loading, setLoading] = useState(false);
  const [failure, setFailure] = useState<string>();
  const { reports } = selection;
  const { total = 0 } = list;
  const most = Math.min(total, BULK_REPORTS);
  const selectAll = async () => {
    setLoading(true);
    setFailure(undefined);
    try {
      const { data } = await provider.getList<AdminReport>("reports", {
        pagination: { page: 1, perPage: BULK_REPORTS },
        sort: list.sort,
        filter: list.filter,
      });
      selection.set(data, true);
    } catch (error) {
      setFailure(loadFailureText("reports", error));
    } finally {
      setLoading(false);
    }
  };
  return (
    <>
      {reports.length > 0 && (
        <Box
          role="region"
          aria-label="Selected reports"
          sx={{
            display: "flex",
            flexWrap: "wrap",
            alignItems: "center",
            gap: 1,
            px: 2,
            py: 1,
            borderTop: `1px solid ${color.line}`,
            bgcolor: "action.hover",
          }}
        >
          <Typography role="status" sx={{ fontWeight: 600, mr: 1 }}>
            {formatCount(reports.length)} selected
          </Typography>
          {ACTIONS.map(([action, { label }]) => (
            <Button
              key={action}
              size="small"
              variant="outlined"
              onClick={() => setAsked({ action, reports })}
            >
              {label}
            </Button>
          ))}
          {reports.length < most && (
            <Button size="small" loading={loading} onClick={() => void selectAll()}>
              {total > BULK_REPORTS
                ? `Select the first ${formatCount(most)} of this list`
                : `Select all ${formatCount(most)} of this list`}
            </Button>
          )}
          <Button size="small" onClick={selection.clear}>
            Clear selection
          </Button>
          {failure && (
            <Alert severity="error" sx={{ flexBasis: "100%" }}>
              {failure}
            </Alert>
          )}
        </Box>
      )}
      {asked && (
        <Suspense fallback={null}>
          <BulkDialog
            action={asked.action}
            reports={asked.reports}
            onClose={(isBegun) => {
              setAsked(undefined);
              if (isBegun) selection.clear();
            }}
          />
        </Suspense>
      )}
    </>
  );
}
