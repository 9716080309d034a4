import { onDatabase } from "./database.ts";

/** Ends the wait of emails about decisions, which go out once nobody can undo them anymore. */
export async function sendDecisionMails(dataDir: string): Promise<void> {
  await onDatabase(dataDir, (client) =>
    client.query(
      `update outbox.mail set next_attempt_at = null
       where kind in ('approved', 'rejected') and attempts = 0`,
    ),
  );
}
