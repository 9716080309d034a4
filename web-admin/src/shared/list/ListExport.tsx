import { lazy, Suspense, useState } from "react";
import { ExportButton, useListContext } from "react-admin";
import type { ExportAsk, ExportableList } from "#contracts/http/list-exports.ts";
import { askedFilter } from "../asked-filter.ts";

const ExportDialog = lazy(async () => ({
  default: (await import("./ExportDialog.tsx")).ExportDialog,
}));

/**
 * Saves what a list shows, all pages of it, as a file. The rows come from the server's export, which records it first;
 * react-admin's button reads one row before, as it must.
 */
export function ListExport({ list }: { readonly list: ExportableList }) {
  const { filterValues } = useListContext();
  const [ask, setAsk] = useState<ExportAsk>();
  return (
    <>
      <ExportButton
        label="Export"
        // On a phone react-admin gives its button a name only while it is enabled.
        aria-label="Export"
        variant="outlined"
        size="medium"
        maxResults={1}
        exporter={() => setAsk({ list, filter: askedFilter(filterValues) })}
      />
      {ask && (
        <Suspense fallback={null}>
          <ExportDialog ask={ask} onClose={() => setAsk(undefined)} />
        </Suspense>
      )}
    </>
  );
}
