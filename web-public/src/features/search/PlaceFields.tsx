import { regionLabel } from "#contracts/report/regions.ts";
import { COUNTRIES, type Country } from "#contracts/report/words.ts";
import styles from "./SearchForm.module.css";
import { regionsOf, type SearchFilters } from "./search-filters.ts";

/**
 * Country and state. The states follow the country as soon as it is picked; without JavaScript,
 * after the next search.
 * @param country that is picked now; `filters` holds the one of the search.
 */
export function PlaceFields(props: {
  filters: SearchFilters;
  country: SearchFilters["country"];
  onCountry: (country: SearchFilters["country"]) => void;
}) {
  const { filters, country } = props;
  const regions = Object.entries(regionsOf(country));
  return (
    <>
      <div className={styles.field}>
        <label htmlFor="country">Country</label>
        <select
          id="country"
          name="country"
          defaultValue={filters.country}
          onChange={({ currentTarget }) => props.onCountry(currentTarget.value as Country | "")}
          className={styles.control}
        >
          <option value="">All countries</option>
          {Object.entries(COUNTRIES).map(([code, name]) => (
            <option key={code} value={code}>
              {name}
            </option>
          ))}
        </select>
      </div>
      <div className={styles.field}>
        <label htmlFor="state">{regionLabel(country || "US")}</label>
        <select
          key={country}
          id="state"
          name="state"
          defaultValue={country === filters.country ? filters.state : ""}
          disabled={regions.length === 0}
          className={styles.control}
        >
          <option value="">{country && country !== "US" ? "All" : "All states"}</option>
          {regions.map(([code, name]) => (
            <option key={code} value={code}>
              {code} - {name}
            </option>
          ))}
        </select>
      </div>
    </>
  );
}
