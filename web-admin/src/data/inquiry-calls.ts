import {
  ADMIN_INQUIRIES,
  ADMIN_INQUIRY,
  type AnswerInquiry,
  type ChangeInquiryStatus,
  type DisclosedReport,
  type Inquiries,
  type InquiryRecord,
  type RevealedInquiry,
} from "#contracts/http/admin-inquiries.ts";
import type { ReportDetail } from "#contracts/http/report-view.ts";
import type { ApiClient } from "./api-client.ts";
import { type ListFilters, pageReader } from "./record-calls.ts";

/** What the console does with inquiries. */
export interface InquiryCalls {
  /** A page of inquiries. @param after where it begins, as the page before said. */
  inquiries(filters: ListFilters, after: string | undefined): Promise<Inquiries>;
  inquiry(id: string): Promise<InquiryRecord>;
  /** @returns the server's sentence. */
  changeInquiryStatus(id: string, change: ChangeInquiryStatus): Promise<string | undefined>;
  /** @returns the server's sentence. */
  addInquiryNote(id: string, text: string): Promise<string | undefined>;
  /** Emails an answer to the sender. @returns the server's sentence. */
  answerInquiry(id: string, answer: AnswerInquiry): Promise<string | undefined>;
  /** What the sender wrote. The registry records who looked before it answers. */
  revealInquiry(id: string): Promise<RevealedInquiry>;
  /** The document that came with it. The registry records who looked before it answers. */
  inquiryDocument(id: string): Promise<Blob>;
  /** A published report, by the last part of its address on the site. */
  publicReport(seoTitle: string): Promise<ReportDetail>;
  /** Opens a report for a request of law enforcement, which the registry records first. */
  discloseReport(id: string, reportId: string): Promise<DisclosedReport>;
}

/** These calls with one session's client. */
export function inquiryCalls(client: ApiClient): InquiryCalls {
  const page = pageReader(client);
  const path = (id: string) => ADMIN_INQUIRY.replace(":id", encodeURIComponent(id));
  const dataOf = <T>(json: unknown) => (json as { data: T }).data;
  const send = async (id: string, behind: string, body: object) =>
    (await client.command(`${path(id)}/${behind}`, "POST", body)).json as { message?: string };
  return {
    inquiries: (filters, after) => page(ADMIN_INQUIRIES, filters, after),
    inquiry: async (id) => dataOf<InquiryRecord>((await client.request(path(id))).json),
    changeInquiryStatus: async (id, change) => (await send(id, "status", change)).message,
    addInquiryNote: async (id, text) => (await send(id, "notes", { text })).message,
    answerInquiry: async (id, answer) => (await send(id, "answer", answer)).message,
    revealInquiry: async (id) => dataOf<RevealedInquiry>(await send(id, "reveal", {})),
    publicReport: async (seoTitle) =>
      dataOf<ReportDetail>(
        (await client.request(`/prod/api/reports/${encodeURIComponent(seoTitle)}`)).json,
      ),
    discloseReport: async (id, report_id) =>
      dataOf<DisclosedReport>(await send(id, "disclose", { report_id })),
    async inquiryDocument(id) {
      const { file } = await client.command(`${path(id)}/document`, "POST", {});
      if (!file) throw new Error("The document could not be opened.");
      return file;
    },
  };
}
