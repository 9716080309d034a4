import {
  ADMIN_MAILS,
  type Mails,
  READ_MAIL,
  RESEND_MAIL,
  type ReadMail,
} from "#contracts/http/admin-mails.ts";
import type { ApiClient } from "./api-client.ts";
import { type ListFilters, pageReader } from "./record-calls.ts";

/** What the console does with the mails that go out. */
export interface MailCalls {
  /** A page of mails. @param after where it begins, as the page before said. */
  mails(filters: ListFilters, after: string | undefined): Promise<Mails>;
  /** What an email says. The registry records who looked before it answers. */
  readMail(id: string): Promise<ReadMail>;
  /** Has a failed mail sent again. @returns the server's sentence. */
  resendMail(id: string): Promise<string | undefined>;
}

/** These calls with one session's client. */
export function mailCalls(client: ApiClient): MailCalls {
  const page = pageReader(client);
  return {
    mails: (filters, after) => page(ADMIN_MAILS, filters, after),
    async readMail(id) {
      const url = READ_MAIL.replace(":id", encodeURIComponent(id));
      return ((await client.command(url, "POST", {})).json as { data: ReadMail }).data;
    },
    async resendMail(id) {
      const url = RESEND_MAIL.replace(":id", encodeURIComponent(id));
      const { json } = await client.command(url, "POST", {});
      return (json as { message?: string }).message;
    },
  };
}
