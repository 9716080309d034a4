import type { RevealedInquiry } from "#contracts/http/admin-inquiries.ts";
import {
  ADMIN_NOTICE,
  ADMIN_NOTICES,
  type DeleteNotice,
  type LiftNotice,
  type LinkNotice,
  type NoticeRecord,
  type Notices,
  type PassOnCounterNotice,
  type RefuseNotice,
  type RestoreNotice,
  type TakeDownNotice,
} from "#contracts/http/admin-notices.ts";
import type { ApiClient } from "./api-client.ts";
import { type ListFilters, pageReader } from "./record-calls.ts";

/** What an admin decides about a notice, by the last part of its path. */
interface NoticeDecisions {
  readonly link: LinkNotice;
  readonly unlink: LinkNotice;
  readonly refuse: RefuseNotice;
  readonly "take-down": TakeDownNotice;
  readonly lift: LiftNotice;
  readonly "pass-on": PassOnCounterNotice;
  readonly restore: RestoreNotice;
  readonly delete: DeleteNotice;
}
export type NoticeDecision = {
  [K in keyof NoticeDecisions]: { readonly name: K; readonly body: NoticeDecisions[K] };
}[keyof NoticeDecisions];

/** What the console does with DMCA notices. */
export interface NoticeCalls {
  /** A page of notices. @param after where it begins, as the page before said. */
  notices(filters: ListFilters, after: string | undefined): Promise<Notices>;
  notice(id: string): Promise<NoticeRecord>;
  /** @returns the server's sentence. */
  decideNotice(id: string, decision: NoticeDecision): Promise<string | undefined>;
  /** @returns the server's sentence. */
  addNoticeNote(id: string, text: string): Promise<string | undefined>;
  /** What the sender wrote. The registry records who looked before it answers. */
  revealNotice(id: string): Promise<RevealedInquiry>;
}

/** These calls with one session's client. */
export function noticeCalls(client: ApiClient): NoticeCalls {
  const page = pageReader(client);
  const path = (id: string) => ADMIN_NOTICE.replace(":id", encodeURIComponent(id));
  const dataOf = <T>(json: unknown) => (json as { data: T }).data;
  const send = async (id: string, behind: string, body: object) =>
    (await client.command(`${path(id)}/${behind}`, "POST", body)).json as { message?: string };
  return {
    notices: (filters, after) => page(ADMIN_NOTICES, filters, after),
    notice: async (id) => dataOf<NoticeRecord>((await client.request(path(id))).json),
    decideNotice: async (id, { name, body }) => (await send(id, name, body)).message,
    addNoticeNote: async (id, text) => (await send(id, "notes", { text })).message,
    revealNotice: async (id) => dataOf<RevealedInquiry>(await send(id, "reveal", {})),
  };
}
