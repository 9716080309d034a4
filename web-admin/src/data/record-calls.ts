import { given } from "#contracts/given.ts";
import {
  ADMIN_DOCUMENTS,
  ADMIN_PAYMENTS,
  DELETE_DOCUMENT,
  type DeleteDocument,
  type Documents,
  type Payments,
} from "#contracts/http/documents.ts";
import type { ApiClient } from "./api-client.ts";

/** Filters of a list, as they stand in the address; without a value they filter nothing. */
export type ListFilters = Readonly<Record<string, string | undefined>>;

/** Documents and payments over all reports. */
export interface RecordCalls {
  /** A page of documents. @param after where it begins, as the page before said. */
  documents(filters: ListFilters, after: string | undefined): Promise<Documents>;
  /** A page of fees with their payments. */
  payments(filters: ListFilters, after: string | undefined): Promise<Payments>;
  /** Deletes a file of a report for good. @returns the server's sentence. */
  deleteDocument(
    reportId: string,
    fileId: string,
    body: DeleteDocument,
  ): Promise<string | undefined>;
}

/** Reads a page of a list that is read on from its last row. */
export function pageReader(client: ApiClient) {
  return async <T>(url: string, filters: ListFilters, after: string | undefined): Promise<T> => {
    const query = new URLSearchParams(given({ ...filters, after }) as Record<string, string>);
    const { json } = await client.request(query.size > 0 ? `${url}?${query}` : url);
    return (json as { data: T }).data;
  };
}

/** These calls with one session's client. */
export function recordCalls(client: ApiClient): RecordCalls {
  const page = pageReader(client);
  return {
    documents: (filters, after) => page(ADMIN_DOCUMENTS, filters, after),
    payments: (filters, after) => page(ADMIN_PAYMENTS, filters, after),
    async deleteDocument(reportId, fileId, body) {
      const url = DELETE_DOCUMENT.replace(":id", reportId).replace(":fileId", fileId);
      const { json } = await client.command(url, "POST", body);
      return (json as { message?: string }).message;
    },
  };
}
