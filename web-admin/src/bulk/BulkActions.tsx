import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { useQueryClient } from "@tanstack/react-query";
import { Suspense, useEffect, useRef, useState } from "react";
import { BulkActionsToolbar, SelectAllButton, useListContext } from "react-admin";
import { BULK_REPORTS } from "#contracts/http/jobs.ts";
import type { AdminReport } from "#contracts/http/report-view.ts";
import { omitUndefined } from "#contracts/omit-undefined.ts";
import { personName } from "../record/record-fields.ts";
import { formatCount } from "../shared/formats.ts";
import { lazyExport } from "../shared/later.ts";
import { BULK_ACTIONS, type BulkActionName, type SelectedReport } from "./labels.ts";

const BulkDialog = lazyExport("BulkDialog", () => import("./BulkDialog.tsx"));
const ACTIONS = Object.keys(BULK_ACTIONS) as BulkActionName[];

/** Places the bar between filters and rows, so that it covers neither. */
const IN_FLOW = {
  borderTop: 1,
  borderColor: "divider",
  bgcolor: "action.hover",
  "&& .RaBulkActionsToolbar-toolbar": {
    position: "static",
    transform: "none",
    height: "auto",
    flexWrap: "wrap",
    bgcolor: "transparent",
  },
  "&& .RaBulkActionsToolbar-title": { flexWrap: "wrap" },
  "&& .RaBulkActionsToolbar-topToolbar": {
    // On phones, two buttons of the same width on each line.
    display: { xs: "grid", sm: "flex" },
    gridTemplateColumns: "1fr 1fr",
    flexWrap: "wrap",
    gap: 1,
    width: { xs: "100%", sm: "auto" },
    px: 0,
    pb: { xs: 1.5, sm: 0.5 },
    bgcolor: "transparent",
    "& .MuiButton-root": { px: { xs: 0.5, sm: 1.5 } },
  },
} as const;

/** Actions for the selected reports; renders nothing while none are selected. */
export function BulkActions() {
  const { selectedIds, onUnselectItems, total = 0 } = useListContext<AdminReport>();
  const reports = useSelected();
  const [asked, setAsked] = useState<{
    readonly action: BulkActionName;
    readonly reports: readonly SelectedReport[];
  }>();
  const most = Math.min(total, BULK_REPORTS);
  return (
    <>
      {selectedIds.length > 0 && (
        <Box role="region" aria-label="Selected reports" sx={IN_FLOW}>
          <BulkActionsToolbar
            label={`${formatCount(reports.length)} selected`}
            selectAllButton={
              <SelectAllButton
                limit={BULK_REPORTS}
                label={
                  total > BULK_REPORTS
                    ? `Select the first ${formatCount(most)} of this list`
                    : `Select all ${formatCount(most)} of this list`
                }
              />
            }
          >
            {ACTIONS.map((action) => (
              <Button
                key={action}
                size="small"
                variant="outlined"
                disabled={reports.length === 0}
                onClick={() => setAsked({ action, reports })}
              >
                {BULK_ACTIONS[action].label}
              </Button>
            ))}
          </BulkActionsToolbar>
        </Box>
      )}
      {asked && (
        <Suspense fallback={null}>
          <BulkDialog
            action={asked.action}
            reports={asked.reports}
            onClose={(isBegun) => {
              setAsked(undefined);
              if (isBegun) onUnselectItems();
            }}
          />
        </Suspense>
      )}
    </>
  );
}

/**
 * Returns the selected reports as they were when selected: a decision about one that was changed since then is
 * rejected. Changing the filter or leaving the list clears the selection.
 */
function useSelected(): readonly SelectedReport[] {
  const { selectedIds: ids, filterValues, onUnselectItems } = useListContext<AdminReport>();
  const selectedIds = ids.map(String);
  const queryClient = useQueryClient();
  const seen = useRef(new Map<string, SelectedReport>());
  for (const id of seen.current.keys()) if (!selectedIds.includes(id)) seen.current.delete(id);
  const missing = new Set(selectedIds.filter((id) => !seen.current.has(id)));
  if (missing.size > 0)
    // Includes other pages, and the response to "Select all".
    for (const [, page] of queryClient.getQueriesData<{ data: AdminReport[] }>({
      queryKey: ["reports", "getList"],
    }))
      for (const report of page?.data ?? []) {
        const { id, revision, status, own } = report;
        if (!missing.has(id) || (seen.current.get(id)?.revision ?? -1) >= revision) continue;
        const name = personName(report);
        seen.current.set(id, { id, revision, status, name, ...omitUndefined({ own }) });
      }
  const scope = JSON.stringify(filterValues);
  const unselect = useRef(onUnselectItems);
  unselect.current = onUnselectItems;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another filter is what ends a selection.
  useEffect(() => () => unselect.current(), [scope]);
  return selectedIds.flatMap((id) => seen.current.get(id) ?? []);
}
