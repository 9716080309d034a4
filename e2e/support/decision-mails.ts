import { onDatabase } from "./database.ts";

/** Makes emails about decisions due now. They normally wait until the decision can't be undone anymore. */
export async function sendDecisionMails(dataDir: string): Promise<void> {
  await onDatabase(dataDir, (client) =>
    client.query(
      `update outbox.mail set next_attempt_at = null
       where kind in ('approved', 'rejected') and attempts = 0`,
    ),
  );
}
