import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Dialog from "@mui/material/Dialog";
import DialogActions from "@mui/material/DialogActions";
import DialogContent from "@mui/material/DialogContent";
import DialogTitle from "@mui/material/DialogTitle";
import FormControlLabel from "@mui/material/FormControlLabel";
import Switch from "@mui/material/Switch";
import { Key } from "../../shared/KeyHint.tsx";
import type { useShortcuts } from "../../shared/use-shortcuts.ts";
import type { Action } from "./use-actions.tsx";

/** Keys that are the same on every report. */
const ALWAYS = [
  ["Z", "Undo the last decision, for 60 seconds"],
  ["Ctrl Enter", "Submit"],
  ["?", "Show these keys"],
] as const;

/** The keys of a report's page, with the switch that turns them off. */
export function KeysDialog({
  actions,
  shortcuts,
  onClose,
}: {
  readonly actions: readonly Action[];
  readonly shortcuts: ReturnType<typeof useShortcuts>;
  readonly onClose: () => void;
}) {
  const rows = [
    ...actions.flatMap(({ key, label }) => (key ? [[key, label.replace("…", "")] as const] : [])),
    ["Enter", "Confirm"],
    ...ALWAYS,
  ];
  return (
    <Dialog open onClose={onClose} maxWidth="sm" fullWidth>
      <DialogTitle>Keyboard shortcuts</DialogTitle>
      <DialogContent>
        <Box
          component="dl"
          sx={{
            m: 0,
            display: "grid",
            gridTemplateColumns: { xs: "1fr", sm: "1fr 1fr" },
            columnGap: 4,
            rowGap: 1,
            "& div": { display: "flex", alignItems: "center", gap: 2 },
            "& dt": { flex: "0 0 88px", display: "flex", gap: 0.5 },
            "& dd": { m: 0 },
          }}
        >
          {rows.map(([keys, what]) => (
            <div key={keys}>
              <dt>
                {keys.split(" ").map((key) => (
                  <Key key={key}>{key}</Key>
                ))}
              </dt>
              <dd>{what}</dd>
            </div>
          ))}
        </Box>
      </DialogContent>
      <DialogActions sx={{ p: 2, justifyContent: "space-between" }}>
        <FormControlLabel
          control={
            <Switch
              checked={shortcuts.enabled}
              onChange={(_event, enabled) => shortcuts.setEnabled(enabled)}
            />
          }
          label="Keyboard shortcuts"
          sx={{ m: 0, gap: 1 }}
        />
        <Button variant="contained" autoFocus onClick={onClose}>
          Close
        </Button>
      </DialogActions>
    </Dialog>
  );
}
