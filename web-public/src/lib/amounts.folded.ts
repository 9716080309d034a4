import { catalogue } from "#contracts/report/catalogue.ts";
import { AMOUNTS } from "#contracts/report/derive/amounts.ts";

/** Label of the main amount, for each type of report. */
export const AMOUNT_LABELS = {
  chargeback: catalogue[AMOUNTS.chargeback.main].label,
  bad_check: catalogue[AMOUNTS.bad_check.main].label,
};
