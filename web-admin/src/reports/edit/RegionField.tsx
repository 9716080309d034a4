import { useWatch } from "react-hook-form";
import { countryOf, REGIONS, regionLabel } from "#contracts/report/regions.ts";
import type { EditFieldName } from "./edit-fields.ts";
import type { EditValues } from "./edit-values.ts";
import { FormField } from "./FormField.tsx";

/** The region, picked from the list of the country that is chosen; a text where it has no list. */
export function RegionField(props: { readonly name: EditFieldName; readonly required: boolean }) {
  const [chosen, present = ""] = useWatch<EditValues, ["country", EditFieldName]>({
    name: ["country", props.name],
  });
  const country = countryOf(chosen);
  const listed = Object.entries(REGIONS[country]).map(
    ([code, name]) => [code, `${name} (${code})`] as const,
  );
  const isListed = listed.length === 0 || listed.some(([code]) => code === present);
  // What another list or a former rule allowed stays in sight until somebody picks another one.
  const options = isListed || present === "" ? listed : [[present, present] as const, ...listed];
  return (
    <FormField
      name={props.name}
      label={regionLabel(country)}
      kind={listed.length > 0 ? "choice" : "line"}
      options={options}
      required={props.required}
    />
  );
}
