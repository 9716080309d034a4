import Button from "@mui/material/Button";
import Divider from "@mui/material/Divider";
import Menu from "@mui/material/Menu";
import MenuItem from "@mui/material/MenuItem";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useDataProvider } from "react-admin";
import type { FilteredList, SavedFilter } from "#contracts/http/list-exports.ts";
import { messageOf } from "../../data/api-error.ts";
import type { ConsoleDataProvider } from "../../data/console-data-provider.ts";
import { askedFilter } from "../asked-filter.ts";
import { ManageFilters } from "./ManageFilters.tsx";
import { NameDialog } from "./NameDialog.tsx";

export interface SavedFiltersProps {
  readonly list: FilteredList;
  /** The filters of the list as it is shown. */
  readonly filter: object;
  readonly onApply: (filter: Record<string, string>) => void;
}

/** One's own filters of a list: applied, saved under a name, renamed, deleted. */
export function SavedFilters({ list, filter, onApply }: SavedFiltersProps) {
  const provider = useDataProvider<ConsoleDataProvider>();
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const [shown, setShown] = useState<"save" | "manage">();
  const { data, error, refetch } = useQuery({
    queryKey: ["saved-filters"],
    queryFn: () => provider.savedFilters(),
    enabled: anchor !== null || shown !== undefined,
    retry: false,
  });
  const own = (data ?? []).filter((each) => each.list === list);
  const now = askedFilter(filter);
  const choose = (saved: SavedFilter) => {
    setAnchor(null);
    onApply(saved.filter);
  };
  const show = (dialog: "save" | "manage") => {
    setAnchor(null);
    setShown(dialog);
  };
  return (
    <>
      <Button
        variant="outlined"
        aria-haspopup="menu"
        aria-expanded={anchor !== null}
        onClick={(event) => setAnchor(event.currentTarget)}
      >
        Saved filters
      </Button>
      <Menu anchorEl={anchor} open={anchor !== null} onClose={() => setAnchor(null)}>
        {error ? (
          <MenuItem onClick={() => void refetch()}>
            {messageOf(error, "Not loaded")}. Try again
          </MenuItem>
        ) : (
          own.length === 0 && (
            <MenuItem disabled>{data ? "No saved filters yet" : "Loading"}</MenuItem>
          )
        )}
        {own.map((saved) => (
          <MenuItem key={saved.id} onClick={() => choose(saved)}>
            {saved.name}
          </MenuItem>
        ))}
        <Divider />
        <MenuItem disabled={Object.keys(now).length === 0} onClick={() => show("save")}>
          Save this filter
        </MenuItem>
        <MenuItem disabled={own.length === 0} onClick={() => show("manage")}>
          Rename or delete
        </MenuItem>
      </Menu>
      {shown === "save" && (
        <NameDialog
          title="Save this filter"
          onSave={async (name) => {
            await provider.saveFilter({ list, name, filter: now });
            await refetch();
          }}
          onClose={() => setShown(undefined)}
        />
      )}
      {shown === "manage" && (
        <ManageFilters
          filters={own}
          onChanged={async () => void (await refetch())}
          onClose={() => setShown(undefined)}
        />
      )}
    </>
  );
}
