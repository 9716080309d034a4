import Autocomplete from "@mui/material/Autocomplete";
import Box from "@mui/material/Box";
import TextField from "@mui/material/TextField";
import Typography from "@mui/material/Typography";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { AdminReport, ReportDetail } from "#contracts/http/report-view.ts";
import { ApiError, loadFailureText } from "../data/api-error.ts";
import { askedFor, type PickedReport, picked } from "./picked-report.ts";
import { useProvider } from "./reads.ts";
import { useDebounced } from "./use-paused.ts";

/** Debounce in milliseconds before a search starts. */
const PAUSE_MS = 250;
/** Fewer characters match too much. */
const MIN_CHARS = 2;
const SHOWN = 10;

interface ReportPickerProps {
  readonly label: string;
  readonly value: PickedReport | null;
  readonly onChange: (report: PickedReport | null) => void;
}

/** Finds a report by number in any notation, name, ID, or URL in the console or on the site. */
export function ReportPicker({ label, value, onChange }: ReportPickerProps) {
  const [typed, setTyped] = useState("");
  const wanted = useDebounced(typed === value?.label ? "" : typed.trim(), PAUSE_MS);
  const provider = useProvider();
  const {
    data = [],
    error,
    isFetching,
  } = useQuery({
    queryKey: ["reports", "picker", wanted],
    async queryFn({ signal }): Promise<readonly PickedReport[]> {
      const asked = askedFor(wanted);
      if ("seoTitle" in asked) {
        const report = await provider
          .read<ReportDetail>(`/prod/api/reports/${encodeURIComponent(asked.seoTitle)}`)
          .catch(nothingThere);
        return report ? [picked(report)] : [];
      }
      const { data } = await provider.getList<AdminReport>("reports", {
        pagination: { page: 1, perPage: SHOWN },
        sort: { field: "created_at", order: "DESC" },
        filter: { q: asked.q },
        signal,
      });
      return data.map((report) => picked(report, asked.copyId));
    },
    enabled: wanted.length >= MIN_CHARS,
    retry: false,
    // Results are personal data, so they are not cached.
    gcTime: 0,
  });
  const isReady = !isFetching && wanted === typed.trim();
  const isEmpty = value === null && isReady && wanted.length >= MIN_CHARS && data.length === 0;
  return (
    <Autocomplete<PickedReport>
      value={value}
      onChange={(_event, report) => onChange(report)}
      inputValue={typed}
      onInputChange={(_event, text) => setTyped(text)}
      options={isReady ? data : []}
      loading={!isReady && typed.trim().length >= MIN_CHARS}
      filterOptions={(all) => all}
      getOptionKey={({ id }) => id}
      isOptionEqualToValue={(one, other) => one.id === other.id && one.copyId === other.copyId}
      autoHighlight
      // Keep the typed text until something is picked.
      clearOnBlur={value !== null}
      forcePopupIcon={false}
      noOptionsText={null}
      slotProps={{ paper: { sx: { "& .MuiAutocomplete-noOptions": { display: "none" } } } }}
      renderOption={({ key, ...props }, report) => (
        <Box component="li" key={key} {...props}>
          <Box sx={{ minWidth: 0, overflowWrap: "anywhere" }}>
            <Typography>{report.label}</Typography>
            <Typography color="textSecondary">{report.title}</Typography>
          </Box>
        </Box>
      )}
      renderInput={(params) => (
        <TextField
          {...params}
          label={label}
          error={isEmpty || error !== null}
          slotProps={{ ...params.slotProps, formHelperText: { role: "status" } }}
          helperText={
            error
              ? loadFailureText("reports", error)
              : isEmpty
                ? "No report found"
                : "Number, name, or link"
          }
        />
      )}
      sx={{ flex: "1 1 320px" }}
    />
  );
}

function nothingThere(error: unknown): undefined {
  if (error instanceof ApiError && (error.status === 404 || error.status === 410)) return undefined;
  throw error;
}
