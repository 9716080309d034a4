import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import LinearProgress from "@mui/material/LinearProgress";
import Menu from "@mui/material/Menu";
import MenuItem from "@mui/material/MenuItem";
import Paper from "@mui/material/Paper";
import TextField from "@mui/material/TextField";
import { useState } from "react";
import { useDataProvider, useNotify } from "react-admin";
import type { Analytics } from "#contracts/http/analytics.ts";
import { PERIOD_NAMES, PERIODS, type PeriodName } from "#contracts/report/periods.ts";
import { messageOf } from "../data/api-error.ts";
import type { ConsoleDataProvider } from "../data/console-data-provider.ts";
import { Delayed } from "../shared/Delayed.tsx";
import { formatSpan } from "../shared/figures/figure-words.ts";
import { saveFile } from "../shared/save-file.ts";
import { csvOf, exportName, jsonOf } from "./export-figures.ts";

export interface AnalyticsBarProps {
  readonly period: PeriodName;
  readonly onPeriod: (period: PeriodName) => void;
  /** What an export holds: what the screen shows. Undefined while there is nothing to export. */
  readonly data: Analytics | undefined;
  readonly isLoading: boolean;
  readonly onRefresh: () => void;
}

/** The period, and what can be done with its figures. */
export function AnalyticsBar(props: AnalyticsBarProps) {
  const { period, onPeriod, data, isLoading, onRefresh } = props;
  const provider = useDataProvider<ConsoleDataProvider>();
  const notify = useNotify();
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const save = async (format: "csv" | "json") => {
    setAnchor(null);
    if (!data) return;
    try {
      // Nothing is saved that the log does not know of.
      await provider.recordExport({ list: "analytics", filter: { period: data.period } }, format);
    } catch (error) {
      notify(`Nothing was exported: ${messageOf(error, "Unknown error occurred")}`, {
        type: "error",
      });
      return;
    }
    const text = format === "csv" ? csvOf(data) : jsonOf(data);
    saveFile(new Blob([text]), exportName(data, format));
  };
  return (
    <Paper sx={{ border: 1, borderColor: "divider" }}>
      <Box sx={{ p: 2, display: "flex", flexWrap: "wrap", gap: 2, alignItems: "end" }}>
        <TextField
          select
          label="Period"
          value={period}
          onChange={(event) => onPeriod(event.target.value as PeriodName)}
          sx={{ width: 180 }}
        >
          {PERIOD_NAMES.map((name) => (
            <MenuItem key={name} value={name}>
              {PERIODS[name].label}
            </MenuItem>
          ))}
        </TextField>
        <Box sx={{ flex: "1 1 200px", color: "text.secondary", py: 1.25 }}>
          {data?.figures ? `${formatSpan(data.figures.total)}, days in UTC` : "Days in UTC"}
        </Box>
        <Button variant="outlined" onClick={onRefresh} disabled={isLoading}>
          Refresh
        </Button>
        <Button
          variant="outlined"
          aria-haspopup="menu"
          aria-expanded={anchor !== null}
          disabled={!data}
          onClick={(event) => setAnchor(event.currentTarget)}
        >
          Export
        </Button>
        <Menu anchorEl={anchor} open={anchor !== null} onClose={() => setAnchor(null)}>
          <MenuItem onClick={() => void save("csv")}>As CSV, for spreadsheets</MenuItem>
          <MenuItem onClick={() => void save("json")}>As JSON, for programs</MenuItem>
        </Menu>
      </Box>
      <Box sx={{ height: 4 }}>
        {isLoading && (
          <Delayed>
            <LinearProgress aria-label="Loading analytics" />
          </Delayed>
        )}
      </Box>
    </Paper>
  );
}
