import {
  askedToDelete,
  askToHide,
  decide,
  decideMany,
  deleted,
  drawBoxes,
  endMany,
  findThemTaken,
  openPublishedFile,
  reveal,
  showDeletions,
} from "./console-report-acts.ts";
import type { Screen } from "./screen.ts";
import { type Act, all, press, until } from "./screen-acts.ts";

const LIST = "/admin/reports";
const MODERATED = "/admin/reports/{moderated}";

const on = (path: string, name: string, act: Act): Screen => ({ name, path, as: "admin", act });

/** Reports in the console, and the dialogs in which they are decided, one or many at once. */
export const REPORT_SCREENS: readonly Screen[] = [
  on("/admin/reports/{decided}", "console-report", until("Questions to the reporter")),
  on(MODERATED, "console-report-files", until("3 files")),
  on(MODERATED, "console-report-revealed", reveal),
  on(MODERATED, "console-report-file", openPublishedFile),
  on(MODERATED, "console-report-boxes", drawBoxes),
  on(MODERATED, "console-report-hide", askToHide),
  on(MODERATED, "console-report-reject", decide("Reject…")),
  on(MODERATED, "console-report-note", decide("Note for moderators…")),
  on(MODERATED, "console-report-delete", decide("Delete…")),
  on("/admin/reports/deleted", "console-deleted", showDeletions),
  on(MODERATED, "console-deletion-asked", askedToDelete),
  on(MODERATED, "console-report-deleted", deleted),
  on(MODERATED, "console-report-erase", all(deleted, press(/^Erase now/), until("Cancel"))),
  on(`${MODERATED}/edit`, "console-report-edit", until("Save")),
  on(`${MODERATED}/history`, "console-report-history", until(/published a picture/)),
  on("/admin/reports/{askable}", "console-report-ask", decide("Ask the reporter…")),
  on(LIST, "console-bulk-taken", findThemTaken),
  on(LIST, "console-bulk-running", decideMany),
  on(LIST, "console-bulk-done", endMany),
];
