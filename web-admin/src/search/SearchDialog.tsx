import Autocomplete from "@mui/material/Autocomplete";
import Box from "@mui/material/Box";
import Dialog from "@mui/material/Dialog";
import type { PopperProps } from "@mui/material/Popper";
import TextField from "@mui/material/TextField";
import Typography from "@mui/material/Typography";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { useNavigate } from "react-router-dom";
import type { AdminReport } from "#contracts/http/report-view.ts";
import type { ListedUser } from "#contracts/http/users.ts";
import { loadFailureText } from "../data/api-error.ts";
import { counted } from "../shared/formats.ts";
import { useProvider } from "../shared/reads.ts";
import { useDebounced } from "../shared/use-paused.ts";
import {
  type Found,
  foundPages,
  foundPeople,
  foundReport,
  foundUser,
  isNamed,
  reportSearch,
  type SearchedPage,
} from "./found.ts";

/** Debounce in milliseconds before a search starts. */
const PAUSE_MS = 250;
/** Fewer characters match too much. */
const MIN_CHARS = 2;
/** Results per group. */
const SHOWN = 5;
/** Number of reports that are searched for names of people. */
const LOOKED_AT = 25;

export interface SearchDialogProps {
  readonly pages: readonly SearchedPage[];
  readonly readsRecords: boolean;
  readonly onClose: () => void;
}

/** Search field for reports, the people on them, users and pages of the console. Enter opens the highlighted one. */
export function SearchDialog({ pages, readsRecords, onClose }: SearchDialogProps) {
  const navigate = useNavigate();
  const [typed, setTyped] = useState("");
  const provider = useProvider();
  const text = typed.trim();
  const wanted = useDebounced(readsRecords ? text : "", PAUSE_MS);
  const { data, error, isFetching } = useQuery({
    queryKey: ["search", wanted],
    queryFn: async ({ signal }): Promise<Found[]> => {
      const newest = (perPage: number) => ({
        pagination: { page: 1, perPage },
        sort: { field: "created_at", order: "DESC" } as const,
        signal,
      });
      const [reports, users] = await Promise.all([
        provider.getList("reports", { ...newest(LOOKED_AT), filter: { q: reportSearch(wanted) } }),
        provider.getList("users", { ...newest(SHOWN), filter: { search: wanted } }),
      ]);
      const found = reports.data as AdminReport[];
      return [
        ...found.slice(0, SHOWN).map(foundReport),
        ...foundPeople(wanted, found).slice(0, SHOWN),
        ...(users.data as ListedUser[]).map(foundUser),
      ];
    },
    enabled: wanted.length >= MIN_CHARS,
    placeholderData: keepPreviousData,
    // Results are personal data, so they are not cached.
    gcTime: 0,
  });
  const isReady = !isFetching && wanted === text;
  const found = wanted.length >= MIN_CHARS && text && data ? data : [];
  const options = [
    // Until the response arrives, keep Enter from opening a result that doesn't match.
    ...(isReady ? found : found.filter((each) => isNamed(each, text))),
    ...foundPages(text, pages),
  ];
  /** Status text, also announced by screen readers. */
  function sentence(): string {
    if (error) return loadFailureText("results", error);
    if (!readsRecords || text.length < MIN_CHARS) return "";
    if (!isReady) return "Searching…";
    return options.length === 0
      ? `No results for “${text}”`
      : counted(options.length, "result", "results");
  }
  return (
    <Dialog
      open
      onClose={onClose}
      fullWidth
      maxWidth="sm"
      slotProps={{
        paper: { "aria-label": "Search" },
        container: { sx: { alignItems: "flex-start" } },
      }}
    >
      <Box
        sx={{ p: 2, height: { xs: "80vh", sm: "70vh" }, display: "flex", flexDirection: "column" }}
      >
        <Autocomplete<Found, false, false, false>
          open
          // Nothing is selected, the highlighted option is opened. (With `freeSolo`, Enter would submit the text
          // instead.)
          value={null}
          clearOnBlur={false}
          forcePopupIcon={false}
          autoHighlight
          options={options}
          filterOptions={(all) => all}
          groupBy={({ group }) => group}
          getOptionLabel={({ label }) => label}
          getOptionKey={({ path }) => path}
          inputValue={typed}
          onInputChange={(_event, value, reason) => {
            if (reason === "input" || reason === "clear") setTyped(value);
          }}
          onChange={(_event, option) => {
            if (!option) return;
            onClose();
            navigate(option.path);
          }}
          onClose={(_event, reason) => {
            if (reason === "escape") onClose();
          }}
          slots={{ popper: Below }}
          slotProps={{
            // The status text below shows this.
            paper: { sx: { display: "flex", "& .MuiAutocomplete-noOptions": { display: "none" } } },
            listbox: { "aria-label": "Found", sx: { flex: 1, maxHeight: "none" } },
          }}
          renderGroup={({ key, group, children }) => (
            <Box key={key} role="group" aria-labelledby={`found-${group}`}>
              <Typography
                id={`found-${group}`}
                component="div"
                variant="subtitle2"
                sx={{ px: 2, pt: 1 }}
              >
                {group}
              </Typography>
              <Box component="ul" role="presentation">
                {children}
              </Box>
            </Box>
          )}
          renderOption={({ key, ...props }, { path, label, detail }) => (
            <Box component="li" key={path} {...props}>
              <Box sx={{ minWidth: 0 }}>
                <Typography sx={{ overflowWrap: "anywhere" }}>{label}</Typography>
                {detail && (
                  <Typography color="textSecondary" sx={{ overflowWrap: "anywhere" }}>
                    {detail}
                  </Typography>
                )}
              </Box>
            </Box>
          )}
          renderInput={(params) => (
            <TextField
              {...params}
              autoFocus
              label="Search"
              placeholder={readsRecords ? "Report, person, user or page" : "Page of the console"}
              helperText={
                readsRecords
                  ? "Find reports by number, name or title, people by name, and users by name or full email"
                  : undefined
              }
            />
          )}
        />
        <Typography role="status" color="textSecondary" sx={{ px: 2, pt: 1 }}>
          {sentence()}
        </Typography>
      </Box>
    </Dialog>
  );
}

/** Shows the results inside the dialog, filling the space below the field. */
const Below = ({ children }: Pick<PopperProps, "children">) => (
  <Box sx={{ display: "grid", minHeight: 0 }}>{children as ReactNode}</Box>
);
