import Alert from "@mui/material/Alert";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Dialog from "@mui/material/Dialog";
import DialogActions from "@mui/material/DialogActions";
import DialogContent from "@mui/material/DialogContent";
import DialogTitle from "@mui/material/DialogTitle";
import { useState } from "react";
import { useDataProvider } from "react-admin";
import type { SavedFilter } from "#contracts/http/list-exports.ts";
import { messageOf } from "../../data/api-error.ts";
import type { ConsoleDataProvider } from "../../data/console-data-provider.ts";
import { NameDialog } from "./NameDialog.tsx";

export interface ManageFiltersProps {
  readonly filters: readonly SavedFilter[];
  readonly onChanged: () => Promise<void>;
  readonly onClose: () => void;
}

/** One's own filters of a list, each to be renamed or deleted. */
export function ManageFilters({ filters, onChanged, onClose }: ManageFiltersProps) {
  const provider = useDataProvider<ConsoleDataProvider>();
  const [renamed, setRenamed] = useState<SavedFilter>();
  const [error, setError] = useState<unknown>();
  const remove = async ({ id }: SavedFilter) => {
    setError(undefined);
    try {
      await provider.deleteFilter(id);
      await onChanged();
    } catch (caught) {
      setError(caught);
    }
  };
  return (
    <Dialog open fullWidth maxWidth="sm" onClose={onClose} aria-labelledby="filters-title">
      <DialogTitle id="filters-title">Saved filters</DialogTitle>
      <DialogContent>
        {error !== undefined && (
          <Alert severity="error" sx={{ mb: 2 }}>
            {messageOf(error, "The filter was not deleted.")}
          </Alert>
        )}
        {filters.length === 0 && "No saved filters are left."}
        {filters.map((filter) => (
          <Box
            key={filter.id}
            sx={{ display: "flex", flexWrap: "wrap", alignItems: "center", gap: 1, py: 0.5 }}
          >
            <Box sx={{ flex: "1 1 100px", overflowWrap: "anywhere" }}>{filter.name}</Box>
            <Button aria-label={`Rename ${filter.name}`} onClick={() => setRenamed(filter)}>
              Rename
            </Button>
            <Button
              color="error"
              aria-label={`Delete ${filter.name}`}
              onClick={() => void remove(filter)}
            >
              Delete
            </Button>
          </Box>
        ))}
      </DialogContent>
      <DialogActions>
        <Button onClick={onClose}>Close</Button>
      </DialogActions>
      {renamed && (
        <NameDialog
          title="Rename the filter"
          name={renamed.name}
          onSave={async (name) => {
            await provider.renameFilter(renamed.id, name);
            await onChanged();
          }}
          onClose={() => setRenamed(undefined)}
        />
      )}
    </Dialog>
  );
}
