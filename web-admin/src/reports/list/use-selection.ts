import { useState } from "react";
import { given } from "#contracts/given.ts";
import { BULK_REPORTS } from "#contracts/http/jobs.ts";
import type { AdminReport } from "#contracts/http/report-view.ts";
import { personName } from "../record/person-name.ts";
import type { SelectedReport } from "./bulk-words.ts";

export interface Selection {
  readonly reports: readonly SelectedReport[];
  readonly has: (id: string) => boolean;
  /** Adds reports as they are seen now, up to the most that one request takes, or removes them. */
  readonly set: (reports: readonly AdminReport[], isSelected: boolean) => void;
  readonly clear: () => void;
}

interface Selected {
  readonly scope: string;
  readonly byId: ReadonlyMap<string, SelectedReport>;
}

/**
 * The reports that are selected in a list. They stay selected on other pages.
 * @param scope the list's filter: under another one nothing is selected.
 */
export function useSelection(scope: string): Selection {
  const [selected, setSelected] = useState<Selected>({ scope, byId: new Map() });
  const byId = selected.scope === scope ? selected.byId : new Map<string, SelectedReport>();
  return {
    reports: [...byId.values()],
    has: (id) => byId.has(id),
    set(reports, isSelected) {
      const next = new Map(byId);
      for (const report of reports) {
        const { id, revision, status, own } = report;
        if (!isSelected) next.delete(id);
        else if (next.size < BULK_REPORTS || next.has(id))
          next.set(id, { id, revision, status, name: personName(report), ...given({ own }) });
      }
      setSelected({ scope, byId: next });
    },
    clear: () => setSelected({ scope, byId: new Map() }),
  };
}
