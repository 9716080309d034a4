import { SelectField, type SelectFieldProps } from "./SelectField.tsx";
import type { Pages } from "./use-pages.ts";

export interface ListFilterProps extends Pick<SelectFieldProps, "label" | "options" | "width"> {
  readonly list: Pages<unknown>;
  /** Of the filter, as it stands in the address. */
  readonly name: string;
}

/** A filter of a list that is read on: one of several values, or none. */
export function ListFilter({ list, name, ...field }: ListFilterProps) {
  return (
    <SelectField
      {...field}
      value={list.filter(name)}
      onChange={(value) => list.setFilter(name, value)}
    />
  );
}
