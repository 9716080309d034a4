import { type FormEvent, useEffect, useRef, useState } from "react";
import { useNavigate } from "react-router-dom";
import { SEARCH_SORTS } from "#contracts/http/search-messages.ts";
import { REASON_GROUPS } from "#contracts/report/reasons.ts";
import { regionLabel } from "#contracts/report/regions.ts";
import { COUNTRIES, type Country } from "#contracts/report/words.ts";
import { Button } from "../../components/Button.tsx";
import { Dialog, DialogActions } from "../../components/Dialog.tsx";
import { showToast } from "../../components/toast-store.ts";
import { paths } from "../../config/paths.ts";
import { useAccount } from "../../session/site-session.ts";
import styles from "./SearchForm.module.css";
import {
  countFilters,
  MAX_QUERY_LENGTH,
  NO_FILTERS,
  naturalSort,
  readFilters,
  regionsOf,
  type SearchFilters,
  writeFilters,
} from "./search-filters.ts";
import { admitSearch, resetSearchGate } from "./search-gate.ts";

const FORM_ID = "search-form";

/**
 * The search form, which works without JavaScript. With JavaScript the URL stays short, the page isn't reloaded,
 * and searches are throttled.
 */
export function SearchForm({ filters }: { filters: SearchFilters }) {
  const navigate = useNavigate();
  const { user } = useAccount();
  const form = useRef<HTMLFormElement>(null);
  const [pending, setPending] = useState<((confirmed: boolean) => void) | null>(null);
  const [country, setCountry] = useState(filters.country);
  const show = (shown: SearchFilters) => {
    if (form.current) fill(form.current, shown);
    setCountry(shown.country);
  };
  const submitted = useShownFilters(show, filters);

  async function search(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const entries = [...new FormData(event.currentTarget)].map(([k, v]) => [k, String(v)]);
    const wanted = readFilters(new URLSearchParams(entries));
    const confirmation = () =>
      new Promise<boolean>((resolve) => {
        setPending(() => (confirmed: boolean) => {
          setPending(null);
          resolve(confirmed);
        });
      });
    if (!(await admitSearch(confirmation, user?.in_good_standing))) return;
    submitted.current = writeFilters(wanted);
    await navigate(paths.search + writeFilters(wanted));
  }

  function clear(event: { preventDefault(): void }) {
    event.preventDefault();
    resetSearchGate();
    show(NO_FILTERS);
    showToast({ kind: "info", text: "All filters cleared successfully" });
    void navigate(paths.search);
  }

  const active = countFilters(filters);
  return (
    <>
      <search>
        <form
          ref={form}
          id={FORM_ID}
          action={paths.search}
          onSubmit={search}
          className={styles.form}
        >
          <div className={styles.main}>
            <label htmlFor="q" className="visually-hidden">
              Name, title or location
            </label>
            <input
              id="q"
              name="q"
              type="search"
              defaultValue={filters.q}
              maxLength={MAX_QUERY_LENGTH}
              placeholder="Name, title or location"
              autoComplete="off"
              enterKeyHint="search"
              className={styles.control}
            />
            <Button type="submit">Search</Button>
          </div>
          <details className={styles.details} open={active > 0}>
            <summary className={styles.summary}>
              Filters{active > 0 && <span className={styles.count}>{active}</span>}
            </summary>
            <div className={styles.filters}>
              <PlaceFields filters={filters} country={country} onCountry={setCountry} />
              <div className={styles.field}>
                <label htmlFor="reason">Reason</label>
                <select
                  id="reason"
                  name="reason"
                  defaultValue={filters.reason}
                  className={styles.control}
                >
                  <option value="">All reasons</option>
                  {Object.keys(REASON_GROUPS).map((group) => (
                    <option key={group}>{group}</option>
                  ))}
                </select>
              </div>
              <AmountField name="min" label="Min amount" value={filters.min} />
              <AmountField name="max" label="Max amount" value={filters.max} />
              <a className={styles.clear} href={paths.search} onClick={clear}>
                Clear Filters
              </a>
            </div>
          </details>
        </form>
      </search>
      {pending && <SecurityVerification onAnswer={pending} />}
    </>
  );
}

/** The sort order. Belongs to the search form and submits it on change. */
export function SortMenu({ filters }: { filters: SearchFilters }) {
  const navigate = useNavigate();
  // Omit the default order, so that a text typed later is sorted by relevance.
  const natural = naturalSort(filters);
  const chosen = filters.sort === natural ? "" : filters.sort;
  const menu = useRef<HTMLSelectElement>(null);
  const search = writeFilters(filters);
  // Keep the element between searches, so that it keeps the focus.
  // biome-ignore lint/correctness/useExhaustiveDependencies: each search may offer other orders.
  useEffect(() => {
    if (menu.current) menu.current.value = chosen;
  }, [chosen, search]);
  return (
    <div className={styles.sort}>
      <label htmlFor="sort">Sort by</label>
      <select
        ref={menu}
        id="sort"
        name="sort"
        form={FORM_ID}
        defaultValue={chosen}
        className={styles.control}
        onChange={(event) => {
          const sort = event.currentTarget.value as SearchFilters["sort"];
          void navigate(paths.search + writeFilters({ ...filters, sort }));
        }}
      >
        {Object.entries(SEARCH_SORTS)
          .filter(([code]) => filters.q || code !== "relevance")
          .map(([code, label]) => (
            <option key={code} value={code === natural ? "" : code}>
              {label}
            </option>
          ))}
      </select>
    </div>
  );
}

function AmountField(props: { name: "min" | "max"; label: string; value: string }) {
  return (
    <div className={styles.field}>
      <label htmlFor={props.name}>{props.label}</label>
      <input
        id={props.name}
        name={props.name}
        type="number"
        inputMode="decimal"
        min={0}
        step={0.01}
        defaultValue={props.value}
        autoComplete="off"
        className={styles.control}
      />
    </div>
  );
}

/**
 * Shows the URL's search after navigating back or forward. After the form's own search the form is left alone,
 * because the visitor may have kept typing in the meantime.
 * @returns a ref for the query string of the search that the form sends.
 */
function useShownFilters(show: (filters: SearchFilters) => void, filters: SearchFilters) {
  const shown = useRef(filters);
  const submitted = useRef<string>(undefined);
  useEffect(() => {
    if (shown.current === filters) return;
    const wanted = writeFilters(filters);
    // Repeating the same search, for example after a failure, must not discard what was typed since.
    const isKnown = wanted === submitted.current || wanted === writeFilters(shown.current);
    shown.current = filters;
    submitted.current = undefined;
    if (!isKnown) show(filters);
  }, [show, filters]);
  return submitted;
}

function fill(form: HTMLFormElement, filters: SearchFilters): void {
  for (const name of ["q", "country", "state", "reason", "min", "max"] as const) {
    const control = form.elements.namedItem(name);
    if (control instanceof HTMLInputElement || control instanceof HTMLSelectElement) {
      control.value = filters[name];
    }
  }
}

/**
 * Country and state. The list of states updates as soon as a country is chosen; without JavaScript, after the
 * next search.
 * @param country chosen now; `filters` has the one searched for.
 */
function PlaceFields(props: {
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

/** Asks a visitor who searches a lot to confirm that they are human. */
function SecurityVerification({ onAnswer }: { onAnswer: (confirmed: boolean) => void }) {
  const [ticked, setTicked] = useState(false);
  return (
    <Dialog title="Security Verification" onCancel={() => onAnswer(false)}>
      <p>
        You've made several searches in a short time. Please confirm that you're not using automated
        tools.
      </p>
      <label className={styles.tick}>
        <input
          type="checkbox"
          checked={ticked}
          onChange={(event) => setTicked(event.currentTarget.checked)}
        />
        <span>I confirm that this is legitimate manual use and not an automated search.</span>
      </label>
      <DialogActions>
        <Button kind="quiet" onClick={() => onAnswer(false)}>
          Cancel
        </Button>
        <Button disabled={!ticked} onClick={() => onAnswer(true)}>
          Verify &amp; Continue
        </Button>
      </DialogActions>
    </Dialog>
  );
}
