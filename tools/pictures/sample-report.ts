import path from "node:path";
import { setTimeout } from "node:timers/promises";
import { TERMS_VERSION } from "#contracts/report/words.ts";
import { post } from "../../e2e/support/calls.ts";
import type { StoredSession } from "../../e2e/support/sessions.ts";
import { listMails } from "../../launcher/outbox/outbox.routes.ts";

/** Time limit for an email, in milliseconds. */
const TIMEOUT_MS = 30_000;

/** A report in progress: the paths of its pages, and its ID. */
export interface SampleReport {
  readonly own: string;
  readonly status: string;
  readonly question: string;
  readonly decided: string;
  /** ID of another report, whose reporter has not been asked anything yet. */
  readonly askable: string;
}

/** Submits and confirms two reports and asks one reporter a question. @param dataDir with emails in files. */
export async function submitSampleReport(
  url: string,
  dataDir: string,
  owner: StoredSession,
  admin: StoredSession,
): Promise<SampleReport> {
  const linkTo = (id: string, page: string) => linkOf(path.join(dataDir, "mail"), id, page);
  const confirmed = async (report: object): Promise<string> => {
    const { id } = await post<{ id: string }>(url, "/reports/submit", report, owner.token);
    const token = (await linkTo(id, "verify-email")).split("/").pop();
    await post(url, `/verify-email/${token}`, {});
    return id;
  };
  const askable = await confirmed({ ...REPORT, first_name: "Sol", last_name: "Ibarra" });
  const id = await confirmed(REPORT);
  const mailed = (page: string) => linkTo(id, page);
  await post(url, `/admin/reports/${id}/question`, { question: QUESTION }, admin.token);
  return {
    own: `/dashboard/reports/${id}`,
    status: await mailed("report-status"),
    question: await mailed("report-question"),
    decided: id,
    askable,
  };
}

/** Returns the path of the link to a page, from the newest email about a report or account that has one. */
export async function linkOf(folder: string, id: string, page: string): Promise<string> {
  for (let waited = 0; waited < TIMEOUT_MS; waited += 100) {
    for (const { file, text } of await listMails(folder)) {
      const link = new RegExp(`/${page}/[\\w-]+`).exec(text)?.[0];
      if (file.startsWith(id) && link) return link;
    }
    await setTimeout(100);
  }
  throw new Error(`No mail about ${id} has a link to /${page}`);
}

const QUESTION =
  "Which carrier delivered the parcel, and is the signature legible? A number of the shipment is enough.";

const REPORT = {
  report_type: "chargeback",
  title: "Disputed two delivered orders within a month",
  description: "Signed for both parcels, then disputed the charges.",
  first_name: "Quinn",
  last_name: "Harper",
  country: "CA",
  city: "Halifax",
  state: "NS",
  zip: "B3H 1A1",
  last_4: "4242",
  amount: 412.5,
  transaction_date: "2026-05-02",
  chargebacks: [{ amount: 80, date: "2026-06-01", reason: "fraudulent" }],
  reporter_first_name: "Rae",
  reporter_last_name: "Holt",
  reporter_email: "rae-of-the-pictures@shop.example",
  terms_accepted: true,
  terms_version: TERMS_VERSION,
};
