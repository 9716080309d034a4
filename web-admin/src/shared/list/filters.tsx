import SearchIcon from "@mui/icons-material/Search";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import InputAdornment from "@mui/material/InputAdornment";
import { type HTMLAttributes, type ReactNode, useEffect, useState } from "react";
import { DateInput, FilterLiveForm, SelectInput, TextInput, useListContext } from "react-admin";
import { useFormContext, useFormState } from "react-hook-form";
import { formatCount } from "../formats.ts";

/** Debounce in milliseconds before a list is refetched. */
const PAUSE_MS = 350;

/** A grid for the fields above a list. */
export function FilterFields({ children }: { readonly children: ReactNode }) {
  return (
    <Box
      sx={{
        display: "grid",
        gap: 1.5,
        px: 2,
        py: 1.5,
        alignItems: "end",
        gridTemplateColumns: "repeat(auto-fill, minmax(min(140px, 100%), 1fr))",
        "& > :has([type=search])": { gridColumn: { xs: "1 / -1", sm: "span 2" } },
        "& .MuiFormControl-root": { m: 0, minWidth: 0, width: "100%" },
      }}
    >
      {children}
    </Box>
  );
}

/** The buttons after the fields, which wrap to their own line if they don't fit. */
export function FilterButtons({ children }: { readonly children: ReactNode }) {
  return (
    <Box
      sx={{
        display: "flex",
        flexWrap: "wrap",
        gap: 1,
        whiteSpace: "nowrap",
        gridColumn: { xs: "1 / -1", sm: "span 2" },
      }}
    >
      {children}
    </Box>
  );
}

interface ListFiltersProps {
  readonly children: ReactNode;
  /** Filters that are shown on request, or while any of them is set. */
  readonly more?: ReactNode;
  readonly moreNames?: readonly string[];
  /** Names of filters set by other components, such as tabs. */
  readonly others?: readonly string[];
}

/** A form of filters that are applied as the user types. */
export function ListFilters({ children, more, moreNames = [], others = [] }: ListFiltersProps) {
  const { filterValues } = useListContext();
  const set = Object.keys(filterValues).filter((name) => !others.includes(name));
  const setMore = moreNames.filter((name) => set.includes(name)).length;
  const [isOpen, setOpen] = useState(setMore > 0);
  const hasMore = setMore > 0;
  // A saved query may set them.
  useEffect(() => {
    if (hasMore) setOpen(true);
  }, [hasMore]);
  /** The form only syncs known fields from the URL, including those not shown yet. */
  const known = { defaultValues: Object.fromEntries(moreNames.map((name) => [name, ""])) };
  return (
    <FilterLiveForm debounce={PAUSE_MS} formComponent={SearchForm} {...(known as object)}>
      <FilterFields>
        {children}
        {(more || set.length > 0) && (
          <FilterButtons>
            {more && (
              <Button variant="outlined" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
                {setMore > 0 ? `More filters, ${formatCount(setMore)} set` : "More filters"}
              </Button>
            )}
            {set.length > 0 && <ClearFilters others={others} />}
          </FilterButtons>
        )}
      </FilterFields>
      {more && isOpen && <FilterFields>{more}</FilterFields>}
    </FilterLiveForm>
  );
}

/** Also clears the fields, so that pending input isn't applied afterwards. */
function ClearFilters({ others }: { readonly others: readonly string[] }) {
  const { filterValues, setFilters } = useListContext();
  const { getValues, setValue } = useFormContext();
  const clear = () => {
    for (const name of Object.keys(getValues())) if (!others.includes(name)) setValue(name, "");
    const kept = Object.entries(filterValues).filter(([name]) => others.includes(name));
    setFilters(Object.fromEntries(kept));
  };
  return <Button onClick={clear}>Clear filters</Button>;
}

function SearchForm(props: HTMLAttributes<HTMLFormElement>) {
  return <Box component="form" role="search" noValidate {...props} />;
}

interface FieldProps {
  /** Name of the filter in the URL. */
  readonly source: string;
  readonly label: string;
}

/** A search field. */
export function SearchFilter({
  source = "q",
  label = "Search",
  placeholder,
  validate,
}: {
  readonly label?: string;
  readonly source?: string;
  /** Returns why the list can't be fetched yet. With it, the text is trimmed. */
  readonly validate?: (text: string | undefined) => string | undefined;
  readonly placeholder: string;
}) {
  const { error } = useFormContext().getFieldState(source, useFormState({ name: source }));
  return (
    <TextInput
      source={source}
      label={label}
      placeholder={placeholder}
      type="search"
      // Not an error while the user is typing; the message explains why the list doesn't change.
      error={false}
      helperText={error?.message ?? false}
      {...(validate && { validate, parse: (typed: string) => typed.trim() })}
      slotProps={{
        htmlInput: { maxLength: 200 },
        input: {
          startAdornment: (
            <InputAdornment position="start">
              <SearchIcon fontSize="small" />
            </InputAdornment>
          ),
        },
      }}
    />
  );
}

/** A choice of one value or none. Options are a record, or pairs if their order differs. */
export function SelectFilter({
  options,
  ...field
}: FieldProps & {
  readonly options:
    | Readonly<Record<string, string>>
    | readonly (readonly [code: string, label: string])[];
}) {
  const pairs = Array.isArray(options) ? options : Object.entries(options);
  return (
    <SelectInput
      {...field}
      choices={pairs.map(([id, name]) => ({ id, name }))}
      emptyText="All"
      helperText={false}
      translateChoice={false}
      slotProps={{ select: { displayEmpty: true } }}
    />
  );
}

export function DayFilter(field: FieldProps) {
  return <DateInput {...field} helperText={false} />;
}

/** A number or a short text. */
export function TextFilter({
  isNumber,
  maxLength = 20,
  ...field
}: FieldProps & { readonly isNumber?: true; readonly maxLength?: number }) {
  return (
    <TextInput
      {...field}
      type={isNumber ? "number" : "text"}
      helperText={false}
      slotProps={{ htmlInput: isNumber ? { min: 0, step: "any" } : { maxLength } }}
    />
  );
}
