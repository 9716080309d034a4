import { type Static, Type } from "typebox";
import { strict } from "../report/fields.ts";
import { reply } from "./envelope.ts";

/**
 * Exporting a list takes three steps. The read side counts the rows and returns a sealed statement. The command
 * side records the export and returns a sealed ticket. The read side exchanges the ticket for the rows.
 * Filters are sent in headers and sealed texts, never in a URL.
 */
export const LIST_EXPORTS = "/prod/api/admin/exports";
export const LIST_EXPORT_COUNT = `${LIST_EXPORTS}/count`;
export const LIST_EXPORT_ROWS = `${LIST_EXPORTS}/rows`;

/** {@link ExportAsk} as JSON, percent-encoded; read by `askOf`. */
export const X_EXPORT = "x-export";
export const X_EXPORT_TICKET = "x-export-ticket";

export const EXPORT_LIST = { type: "ExportList", title: "Export a list" } as const;

/** Exportable lists and the roles allowed to export them. The console already has the rows of the analytics. */
export const EXPORTABLE = {
  reports: { roles: ["admin"], hasRows: true },
  users: { roles: ["admin"], hasRows: true },
  audit: { roles: ["admin", "auditor"], hasRows: true },
  analytics: { roles: ["admin"], hasRows: false },
} as const;
export type ExportableList = keyof typeof EXPORTABLE;

const EXPORT_FORMATS = ["csv", "json"] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** A list's filters: names and values as in the console's URL. */
export type ExportFilter = Readonly<Record<string, string>>;

/** Maximum rows in an export. The oldest rows of a longer list are left out. */
export const MAX_EXPORTED = 10_000_000;

/** Longest filter, as JSON. */
const FILTER_LENGTH = 2000;
/** Longest value of the header. A filter's character can take up to nine. */
export const EXPORT_ASK_LENGTH = 8000;
/** Longest sealed text. */
const SEALED_LENGTH = 8000;

const ListFilter = Type.Refine(
  Type.Record(Type.String({ pattern: "^[a-z_]{1,40}$" }), Type.String({ maxLength: 200 })),
  (filter) => JSON.stringify(filter).length <= FILTER_LENGTH,
  () => "The filter is too long",
);

export const ExportAsk = strict({
  list: Type.Enum(Object.keys(EXPORTABLE) as ExportableList[]),
  filter: ListFilter,
});
export interface ExportAsk {
  readonly list: ExportableList;
  readonly filter: ExportFilter;
}

/** The value of the header {@link X_EXPORT}. */
export function exportHeader(ask: ExportAsk): string {
  return encodeURIComponent(JSON.stringify(ask));
}

/** GET .../count */
export const ExportCountReply = reply(
  strict({
    rows: Type.Integer(),
    /** Seals account, list, filter and row count. Valid for five minutes. */
    statement: Type.String(),
  }),
);

/** POST .../exports */
export const StartExport = strict({
  statement: Type.String({ minLength: 1, maxLength: SEALED_LENGTH }),
  format: Type.Enum([...EXPORT_FORMATS]),
});
export type StartExport = Static<typeof StartExport>;
export const ExportStartedReply = reply(
  strict({
    id: Type.String({ format: "uuid" }),
    rows: Type.Integer(),
    /** Valid for one minute, and only for this account. */
    ticket: Type.String(),
  }),
);

/** Saved filters of the console's lists, visible only to their account. */
export const SAVED_FILTERS = "/prod/api/admin/saved-filters";
export const SAVED_FILTER = `${SAVED_FILTERS}/:id`;

/** Maximum per account, over all lists. */
export const MAX_SAVED_FILTERS = 50;
export const FILTER_NAME_LENGTH = 60;

/** The lists with filters, and who sees them. */
const FILTERED_LISTS = ["reports", "users", "audit"] as const;
export type FilteredList = (typeof FILTERED_LISTS)[number];

const Id = Type.String({ format: "uuid" });
const List = Type.Enum([...FILTERED_LISTS]);
const Name = Type.String({ minLength: 1, maxLength: FILTER_NAME_LENGTH, pattern: "\\S" });

/** GET, the oldest first */
export const SavedFilter = strict({ id: Id, list: List, name: Type.String(), filter: ListFilter });
export type SavedFilter = Static<typeof SavedFilter>;
export const SavedFiltersReply = reply(
  strict({ filters: Type.Array(SavedFilter, { maxItems: MAX_SAVED_FILTERS }) }),
);

/** POST */
export const SaveFilter = strict({ list: List, name: Name, filter: ListFilter });
export type SaveFilter = Static<typeof SaveFilter>;
export const SavedFilterReply = reply(strict({ id: Id }));
