import type { SiteFacts } from "#contracts/http/content.ts";
import { apiContext, type LoaderArgs } from "../../api/client.ts";

/** Milliseconds that a form waits for the answer. */
const WAIT_MS = 2_000;

export interface TermsData {
  /** The terms in force when the form was opened; empty if unknown. */
  readonly termsVersion: string;
}

/** Loads the version of the terms that the user of a form agrees to. The form opens without it, too. */
export async function termsLoader({ context, request }: LoaderArgs): Promise<TermsData> {
  let stop = () => {};
  const late = new Promise<undefined>((resolve) => {
    const timer = setTimeout(resolve, WAIT_MS);
    stop = () => clearTimeout(timer);
  });
  const facts = context
    .get(apiContext)
    .get<SiteFacts>("/api/site", { signal: request.signal })
    .catch(() => undefined);
  const answer = await Promise.race([facts, late]);
  stop();
  return { termsVersion: answer?.terms_version ?? "" };
}
