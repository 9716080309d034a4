import type { MasterKeySource } from "#kit/keys/master-ring.ts";

/** What the mailer needs to know; `main.ts` and the launcher fill it in. */
export interface MailerConfig {
  readonly databaseUrl: string;
  readonly eventStoreUrl: string;
  readonly keysUrl: string;
  readonly masterKeys: MasterKeySource;
  /** `postgres://`: the queue's tables, in the schema `jobs`. */
  readonly jobsUrl: string;
  /** `file:` URL of a folder, or `smtp(s)://`. */
  readonly smtpUrl: string;
  /** Where the site stands: the base of links in mails. */
  readonly publicUrl: string;
  readonly productName: string;
  readonly supportEmail: string;
}
