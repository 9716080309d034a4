import Tab from "@mui/material/Tab";
import Tabs from "@mui/material/Tabs";

/** Tabs above a list's rows, each with a filter. */
export function ListTabs<Value extends string>(props: {
  readonly label: string;
  readonly value: Value;
  readonly tabs: readonly (readonly [value: Value, label: string])[];
  /** Whether the labels contain counts by now. */
  readonly isCounted?: boolean;
  readonly onChange: (value: Value) => void;
}) {
  const { label, value, tabs, isCounted, onChange } = props;
  return (
    <Tabs
      // Counts make the tabs wider, so remount to scroll the selected one into view.
      key={isCounted ? "counted" : "names"}
      value={value}
      onChange={(_event, chosen: Value) => onChange(chosen)}
      variant="scrollable"
      aria-label={label}
      sx={{ borderBottom: 1, borderColor: "divider", px: 1, "& .MuiTab-root": { px: 1 } }}
    >
      {tabs.map(([name, text]) => (
        <Tab key={name} value={name} label={text} />
      ))}
    </Tabs>
  );
}
