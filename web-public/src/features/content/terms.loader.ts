import type { SiteFacts } from "#contracts/http/content.ts";
import { apiContext, type LoaderArgs } from "../../api/client.ts";

/** A form does not wait longer for the answer, in milliseconds. */
const WAIT_MS = 2_000;

export interface TermsData {
  /** The terms in force when the form was opened; empty where the registry did not say which. */
  readonly termsVersion: string;
}

/** Which terms somebody agrees to who fills in a form now. A form opens without the answer, too. */
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
