/** What staff read where they would decide, edit or open a report that concerns themselves. */
export const OWN_REPORT =
  "This report is your own, names you, or concerns an admin who gave you your role in the last 24 hours. Someone else has to decide, edit or open it.";
