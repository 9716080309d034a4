/** What staff read where they would decide, edit or open a report that concerns themselves. */
export const OWN_REPORT =
  "This report is your own or names you, so it is for somebody else to decide, edit or open.";
