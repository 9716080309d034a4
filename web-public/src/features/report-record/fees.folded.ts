import { catalogue } from "#contracts/report/catalogue.ts";
import { AMOUNTS } from "#contracts/report/derive/amounts.ts";
import type { ReportType } from "#contracts/report/words.ts";

const fees = (type: ReportType) =>
  AMOUNTS[type].fees.map((field) => ({ field, label: catalogue[field].label }));

/** The fees that may be added to the amount, for each type of report. */
export const FEES = { chargeback: fees("chargeback"), bad_check: fees("bad_check") };
