import { US_STATES } from "#contracts/report/words.ts";
import { useReportForm } from "./form-context.ts";
import { ReportField } from "./ReportField.tsx";

const STATE_LIST = "us-states";
const STATE_HINTS: Readonly<Record<string, string>> = {
  AU: "Two or three capital letters, for instance NSW",
  US: "Two capital letters, or pick from the list",
};

/** The state's code. For the United States it can be picked from a list. */
export function StateField() {
  const { country } = useReportForm().state.fields;
  return (
    <>
      <ReportField
        field="state"
        list={country === "US" ? STATE_LIST : undefined}
        hint={STATE_HINTS[country] ?? "Two capital letters"}
      />
      <datalist id={STATE_LIST}>
        {Object.entries(US_STATES).map(([code, name]) => (
          <option key={code} value={code} label={`${code} - ${name}`} />
        ))}
      </datalist>
    </>
  );
}

export function ZipField() {
  const { country } = useReportForm().state.fields;
  return <ReportField field="zip" label={country === "US" ? "ZIP" : "Postal code"} />;
}
