import { newEnvelope, systemCaller } from "#services/command-api/kernel/envelope.ts";
import type { System } from "./in-process.ts";

const reporter = {
  reporter_first_name: "Rae",
  reporter_last_name: "Holt",
  reporter_email: "rae@shop.example",
  terms_accepted: true,
};

/** A valid chargeback with the required fields only. */
export const chargeback = {
  report_type: "chargeback",
  title: "Disputed a delivered order",
  description: "Signed for the parcel, then disputed the charge.",
  first_name: "Quinn",
  last_name: "Ames",
  city: "Denver",
  state: "CO",
  zip: "80202",
  last_4: "4242",
  amount: 412.5,
  transaction_date: "2026-05-02",
  ...reporter,
};

/** A valid bad check with the required fields only. */
export const badCheck = {
  report_type: "bad_check",
  title: "Check returned unpaid",
  description: "The bank returned the check.",
  first_name: "Pat",
  last_name: "Orr",
  city: "Reno",
  state: "NV",
  zip: "89501",
  check_number: "1042",
  bank_name: "First Example Bank",
  check_amount: 80,
  check_date: "2026-06-01",
  check_reason: "nsf",
  ...reporter,
};

/** Submits a report. @returns its id. */
export async function submit(system: System, body: object = chargeback): Promise<string> {
  const answer = await system.call("POST", "/prod/api/reports/submit", { body });
  if (answer.statusCode !== 200) throw new Error(`submit answered ${answer.body}`);
  return answer.json().data.id;
}

/** Erases a report, as housekeeping does once its deletion is due. */
export async function eraseReport(
  { commandApi }: Pick<System, "commandApi">,
  id: string,
): Promise<void> {
  const envelope = newEnvelope(systemCaller(new Date().toISOString()));
  await commandApi.reports.execute(id, { type: "EraseReport", reasonCode: "other" }, envelope);
}

export async function approve(system: System, id: string): Promise<void> {
  const url = `/prod/api/admin/reports/${id}/approve`;
  const answer = await system.call("POST", url, { body: {}, as: "admin" });
  if (answer.statusCode !== 200) throw new Error(`approve answered ${answer.body}`);
}
