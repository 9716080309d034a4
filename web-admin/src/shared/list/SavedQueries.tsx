import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import ListItemButton from "@mui/material/ListItemButton";
import Popover from "@mui/material/Popover";
import Typography from "@mui/material/Typography";
import { useState } from "react";
import { useListContext } from "react-admin";
import {
  FILTER_NAME_LENGTH,
  type FilteredList,
  SAVED_FILTER,
  SAVED_FILTERS,
  type SavedFilter,
} from "#contracts/http/list-exports.ts";
import { loadFailureText } from "../../data/api-error.ts";
import { SendDialog } from "../AskDialog.tsx";
import { askedFilter, isSameFilter } from "../asked-filter.ts";
import type { FormField } from "../fields.tsx";
import { useRead } from "../reads.ts";
import { RetryAlert } from "../states.tsx";

interface Props {
  readonly of: FilteredList;
}

/** One's own filters of a list, which the server keeps: applied, saved under a name, removed. */
export function SavedQueries({ of }: Props) {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  return (
    <>
      <Button
        variant="outlined"
        aria-haspopup="dialog"
        aria-expanded={anchor !== null}
        onClick={(event) => setAnchor(event.currentTarget)}
      >
        Saved queries
      </Button>
      <Popover
        open={anchor !== null}
        anchorEl={anchor}
        onClose={() => setAnchor(null)}
        anchorOrigin={{ vertical: "bottom", horizontal: "left" }}
        slotProps={{ paper: { role: "dialog", "aria-label": "Saved queries", sx: { width: 280 } } }}
      >
        <Queries of={of} />
      </Popover>
    </>
  );
}

const NAME: readonly FormField[] = [
  { source: "name", label: "Query name", max: FILTER_NAME_LENGTH, needs: "Enter a name" },
];

function Queries({ of: list }: Props) {
  const { filterValues, setFilters } = useListContext();
  const [asks, setAsks] = useState<"save" | "remove">();
  const key = "saved-filters";
  const read = useRead<{ filters: readonly SavedFilter[] }>([key], SAVED_FILTERS);
  const own = read.data?.filters?.filter((each) => each.list === list) ?? [];
  const filter = askedFilter(filterValues);
  const current = own.find((each) => isSameFilter(each.filter, filter));
  const sending = {
    again: [key],
    tells: "nothing",
    isReadFirst: true,
    failed: "Couldn't save the change. Try again.",
    onClose: () => setAsks(undefined),
  } as const;
  return (
    <Box sx={{ p: 1, display: "grid", gap: 1 }}>
      {read.error && (
        <RetryAlert onRetry={read.refetch}>
          {loadFailureText("saved queries", read.error)}
        </RetryAlert>
      )}
      {own.length > 0 && (
        <Box component="ul" aria-label="Saved queries">
          {own.map((each) => (
            <li key={each.id}>
              <ListItemButton
                selected={each === current}
                aria-pressed={each === current}
                onClick={() => setFilters(each === current ? {} : each.filter)}
                sx={{ overflowWrap: "anywhere" }}
              >
                {each.name}
              </ListItemButton>
            </li>
          ))}
        </Box>
      )}
      {Object.keys(filter).length > 0 ? (
        <Button onClick={() => setAsks(current ? "remove" : "save")}>
          {current ? "Remove saved query" : "Save current query..."}
        </Button>
      ) : (
        <Typography color="textSecondary" sx={{ px: 2, py: 1 }}>
          Filter the list and save this query for later
        </Typography>
      )}
      {asks === "save" && (
        <SendDialog
          {...sending}
          title="Save current query as"
          consequence="Only you see your saved queries."
          confirm="Save"
          fields={NAME}
          send={(provider, typed) => provider.command(SAVED_FILTERS, { list, filter, ...typed })}
        />
      )}
      {asks === "remove" && current && (
        <SendDialog
          {...sending}
          title="Remove saved query?"
          consequence={`“${current.name}” is removed from your saved queries.`}
          confirm="Remove"
          send={(provider) =>
            provider.command(SAVED_FILTER.replace(":id", current.id), {}, "DELETE")
          }
        />
      )}
    </Box>
  );
}
