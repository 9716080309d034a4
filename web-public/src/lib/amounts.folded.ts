import { catalogue } from "#contracts/report/catalogue.ts";
import { AMOUNTS } from "#contracts/report/derive/amounts.ts";

/** What the amount of a report of each type is called. */
export const AMOUNT_LABELS = {
  chargeback: catalogue[AMOUNTS.chargeback.main].label,
  bad_check: catalogue[AMOUNTS.bad_check.main].label,
};
