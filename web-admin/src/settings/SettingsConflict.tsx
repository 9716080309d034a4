import Alert from "@mui/material/Alert";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import type { SystemSettings } from "#contracts/http/settings.ts";
import { settingRow } from "#contracts/settings/catalogue.ts";
import { formatInstant } from "../shared/formats.ts";
import { changedFields, formOf, type SettingForm, valueInWords } from "./setting-values.ts";

/** Says who changed which setting meanwhile, beside what was typed here. */
export function SettingsConflict(props: {
  /** What was opened here. */
  readonly opened: SystemSettings;
  /** What applies now. */
  readonly theirs: SystemSettings;
  /** What was typed here. */
  readonly mine: SettingForm;
  readonly onUseTheirs: () => void;
  readonly onKeepMine: () => void;
}) {
  const { opened, theirs, mine, onUseTheirs, onKeepMine } = props;
  const [before, now] = [formOf(opened), formOf(theirs)];
  return (
    <Alert severity="warning" role="alert" sx={{ mb: 2 }}>
      Someone else changed the settings after you opened them. Nothing was overwritten, and your
      changes are still here.
      <Box component="ul" sx={{ my: 1, pl: 2.5 }}>
        {changedFields(before, now).map((name) => {
          const { by = "An admin", at } = theirs.changes[name] ?? {};
          const when = at ? `, ${formatInstant(at)}` : "";
          const typed =
            mine[name] === before[name] ? "" : `; you: ${valueInWords(name, mine[name])}`;
          return (
            <li key={name}>
              {settingRow(name).label}: {valueInWords(name, now[name])} ({by}
              {when}){typed}
            </li>
          );
        })}
      </Box>
      <Box sx={{ display: "flex", gap: 1, flexWrap: "wrap" }}>
        <Button variant="contained" onClick={onUseTheirs}>
          Use theirs
        </Button>
        <Button variant="outlined" onClick={onKeepMine}>
          Keep mine
        </Button>
      </Box>
    </Alert>
  );
}
