import Checkbox from "@mui/material/Checkbox";

/** Selects one report, or all of a page. */
export function SelectBox({
  label,
  checked,
  some = false,
  onChange,
}: {
  readonly label: string;
  readonly checked: boolean;
  /** Whether some are selected, but not all. */
  readonly some?: boolean;
  readonly onChange: (isSelected: boolean) => void;
}) {
  return (
    <Checkbox
      size="small"
      checked={checked}
      indeterminate={some && !checked}
      onChange={(event) => onChange(event.target.checked)}
      slotProps={{ input: { "aria-label": label } }}
      sx={{
        width: { xs: 44, md: 24 },
        height: { xs: 44, md: 28 },
        p: 0,
        ml: { xs: -1.5, md: 0 },
      }}
    />
  );
}
