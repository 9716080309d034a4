import { useGetIdentity, useStore } from "react-admin";

/** Which parts of a list's rows somebody wants to see. */
export interface Columns<Name extends string = string> {
  /** Those that can be chosen, in the order of the list. What tells rows apart is not among them. */
  readonly names: readonly Name[];
  shows(name: Name): boolean;
  toggle(name: Name): void;
  showAll(): void;
}

const NONE: readonly string[] = [];

/**
 * The choice of columns in a list, which the browser keeps for each account. What is not chosen away is shown, so a
 * column that a later version adds appears.
 * @param list name of the list, which is part of the key that the choice is kept under.
 */
export function useColumns<Name extends string>(
  list: string,
  names: readonly Name[],
): Columns<Name> {
  const { identity } = useGetIdentity();
  const [kept, keep] = useStore(keyOf(identity?.id ?? "nobody", list), NONE);
  const hidden = Array.isArray(kept) ? kept : NONE;
  return {
    names,
    shows: (name) => !hidden.includes(name),
    toggle: (name) =>
      keep(hidden.includes(name) ? hidden.filter((each) => each !== name) : [...hidden, name]),
    showAll: () => keep(NONE),
  };
}

/** Start of the keys of all choices in react-admin's store. */
export const COLUMNS_KEY = "columns.";

const keyOf = (account: string | number, list: string) => `${COLUMNS_KEY}${account}.${list}`;
