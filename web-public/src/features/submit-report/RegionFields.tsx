import {
  countryOf,
  postalCodeLabel,
  REGIONS,
  regionCode,
  regionLabel,
} from "#contracts/report/regions.ts";
import type { Country } from "#contracts/report/words.ts";
import { useReportForm } from "./form-context.ts";
import { ReportField } from "./ReportField.tsx";

const REGION_LIST = "regions";
const REGION_HINTS: Readonly<Record<Country, string>> = {
  US: "Two capital letters, or pick from the list",
  CA: "Two capital letters, for example ON, or pick from the list",
  UK: "As you would write it in an address, for example Kent",
  AU: "Two or three capital letters, for example NSW, or pick from the list",
};

/** The region of the chosen country: a code that can be picked from its list, or a text. */
export function StateField() {
  const { state, dispatch } = useReportForm();
  const country = countryOf(state.fields.country);
  const regions = Object.entries(REGIONS[country]);
  const toCode = () => {
    const value = regionCode(country, state.fields.state);
    if (value !== state.fields.state) dispatch({ type: "set", field: "state", value });
  };
  return (
    <div>
      <ReportField
        field="state"
        label={regionLabel(country)}
        list={regions.length > 0 ? REGION_LIST : undefined}
        hint={REGION_HINTS[country]}
        onLeave={toCode}
      />
      <noscript>
        <p>
          Outside the United States: the letters of the province (Canada) or state (Australia), or
          the county (United Kingdom).
        </p>
      </noscript>
      <datalist id={REGION_LIST}>
        {regions.map(([code, name]) => (
          <option key={code} value={code} label={`${code} - ${name}`} />
        ))}
      </datalist>
    </div>
  );
}

export function ZipField() {
  const { country } = useReportForm().state.fields;
  return <ReportField field="zip" label={postalCodeLabel(countryOf(country))} />;
}

const ROUTING_HINTS: Readonly<Record<Country, string>> = {
  US: "9 digits",
  CA: "Institution and transit number: digits only, at most 9",
  UK: "Sort code: digits only, at most 9",
  AU: "BSB: digits only, at most 9",
};

/** The number of the bank, which each country calls something else. */
export function RoutingField() {
  const { country } = useReportForm().state.fields;
  return <ReportField field="bank_routing" hint={ROUTING_HINTS[countryOf(country)]} />;
}
