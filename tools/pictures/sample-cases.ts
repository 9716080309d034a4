import path from "node:path";
import { setTimeout } from "node:timers/promises";
import type { ListedInquiry } from "#contracts/http/admin-inquiries.ts";
import type { ListedNotice } from "#contracts/http/admin-notices.ts";
import {
  AGREED,
  ATTACHMENT,
  INQUIRY_FORMS,
  type InquiryKind,
} from "#contracts/inquiry/inquiry-forms.ts";
import { pdf } from "#pictures/testing/made-files.ts";
import { post } from "../../e2e/support/calls.ts";
import type { StoredSession } from "../../e2e/support/sessions.ts";
import { linkOf } from "./sample-report.ts";

/** Milliseconds until submitted cases appear in the console's list, on a busy machine. */
const TIMEOUT_MS = 30_000;

/** Cases sent through the forms: the IDs of one law enforcement request and one notice. */
export interface SampleCases {
  readonly inquiry: string;
  /** Path of the page for replying to an answer. */
  readonly answer: string;
  readonly notice: string;
}

/**
 * Sends inquiries and notices through the site's forms, and handles some of them as staff would.
 * @param dataDir with emails in files.
 */
export async function sendSampleCases(
  url: string,
  dataDir: string,
  admin: StoredSession,
  reportId: string,
): Promise<SampleCases> {
  const ofStaff = <T>(route: string, body: object) => post<T>(url, route, body, admin.token);
  const send = async (kind: InquiryKind, answers: object) => {
    const route = INQUIRY_FORMS[kind].path.replace("/prod/api", "");
    return (await post<{ number: string }>(url, route, { ...SENDER, ...answers })).number;
  };
  const listed = async <T extends { number: string }>(list: string, number: string) => {
    for (let waited = 0; waited < TIMEOUT_MS; waited += 100) {
      const reply = await fetch(`${url}/prod/api/admin/${list}`, {
        headers: { authorization: `Bearer ${admin.token}` },
      });
      if (reply.ok) {
        const { data } = (await reply.json()) as { data: Record<string, T[]> };
        const found = data[list]?.find((each) => each.number === number);
        if (found) return found;
      }
      await setTimeout(100);
    }
    throw new Error(`${number} is not in the list of ${list}`);
  };

  const answered = await listed<ListedInquiry>("inquiries", await send("enterprise", ENTERPRISE));
  await ofStaff(`/admin/inquiries/${answered.id}/answer`, { text: ANSWER, revision: 0 });
  const linkTo = (id: string) => linkOf(path.join(dataDir, "mail"), id, "inquiry-answer");
  const answer = await linkTo(answered.id);
  await send("enterprise", { ...ENTERPRISE, plan: "enterprise_plus" });
  const file = await post<{ id: string; secret: string }>(url, "/uploads", pdf());
  const request = await listed<ListedInquiry>(
    "inquiries",
    await send("law_enforcement", {
      ...REQUEST,
      [ATTACHMENT]: { id: file.id, secret: file.secret, name: "subpoena-12.pdf" },
    }),
  );
  await ofStaff(`/admin/inquiries/${request.id}/status`, { status: "in_work", revision: 0 });
  await ofStaff(`/admin/inquiries/${request.id}/notes`, {
    text: "Rang the desk, asked for a seal",
  });
  await ofStaff(`/admin/inquiries/${request.id}/answer`, {
    text: "Please send us the order with its seal.",
    revision: 1,
  });
  const token = (await linkTo(request.id)).split("/").pop();
  await post(url, "/inquiry-answer/reply", { token, reply: "It's in the mail." });

  const notice = await listed<ListedNotice>("notices", await send("takedown", TAKEDOWN));
  const { revision } = await ofStaff<{ revision: number }>(`/admin/notices/${notice.id}/link`, {
    report_id: reportId,
    revision: notice.revision,
  });
  await ofStaff(`/admin/notices/${notice.id}/take-down`, {
    reason: "The photographs are the owner's",
    revision,
  });
  await send("takedown", { ...TAKEDOWN, owner: "Featherstonehaugh & Daughters Photography" });
  await send("counter_notice", { ...COUNTER_NOTICE, material: `Notice ${notice.number}` });
  return { inquiry: request.id, answer, notice: notice.id };
}

const ANSWER = `Yes, we can set this up for you.

Which of your systems would call us, and how often in a busy hour?`;

const SENDER = { name: "Ann Lee", email: "ann-of-the-pictures@owner.example" };

const ENTERPRISE = {
  company: "Acme",
  plan: "enterprise",
  useCase: "Orders,\nbefore they ship",
  volume: "20,000",
};

const REQUEST = {
  agency: "Denver Police",
  name: "Det. Ann Lee",
  legal_basis: "Subpoena 12",
  document: "12, of May 2",
  cases: "Orla Castellan",
};

const SIGNED = { address: "1 Main St, Denver, CO 80202", signature: "Ann Lee" };

const TAKEDOWN = {
  ...SIGNED,
  work: "Photographs of watches",
  material: "The report about Quinn Ames",
  good_faith: AGREED,
  accuracy: AGREED,
};

const COUNTER_NOTICE = {
  ...SIGNED,
  phone: "+1 303 555 0100",
  reason: "The photographs are mine",
  mistake: AGREED,
  jurisdiction: AGREED,
};
