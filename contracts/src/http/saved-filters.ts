import { type Static, Type } from "typebox";
import { strict } from "../report/fields.ts";
import { reply } from "./envelope.ts";
import { ListFilter } from "./list-exports.ts";

/** Filters of the console's lists that an account has named, for itself alone. */
export const SAVED_FILTERS = "/prod/api/admin/saved-filters";
export const SAVED_FILTER = `${SAVED_FILTERS}/:id`;

/** How many an account has at most, over all lists. */
export const MOST_SAVED_FILTERS = 50;
export const FILTER_NAME_LENGTH = 60;

/** The lists with filters, and who sees them. */
export const FILTERED_LISTS = ["reports", "users", "audit"] as const;
export type FilteredList = (typeof FILTERED_LISTS)[number];

const Id = Type.String({ format: "uuid" });
const List = Type.Enum([...FILTERED_LISTS]);
const Name = Type.String({ minLength: 1, maxLength: FILTER_NAME_LENGTH, pattern: "\\S" });

/** GET, the oldest first */
export const SavedFilter = strict({ id: Id, list: List, name: Type.String(), filter: ListFilter });
export type SavedFilter = Static<typeof SavedFilter>;
export const SavedFiltersReply = reply(
  strict({ filters: Type.Array(SavedFilter, { maxItems: MOST_SAVED_FILTERS }) }),
);

/** POST */
export const SaveFilter = strict({ list: List, name: Name, filter: ListFilter });
export type SaveFilter = Static<typeof SaveFilter>;
/** PUT .../{id} */
export const RenameFilter = strict({ name: Name });
export const SavedFilterReply = reply(strict({ id: Id }));
