import rateLimit from "@fastify/rate-limit";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";

/** A report with every field filled in; each character may take nine bytes in a form. */
const REPORT_BYTES = 256 * 1024;
/** An answer of 5,000 characters; each may take nine bytes in a form. */
const ANSWER_BYTES = 64 * 1024;
/** A password of 1,000 characters; each may take nine bytes in a form. */
const PASSWORD_BYTES = 16 * 1024;
/** The longest form, a report with fifty additional chargebacks, has about 600 fields. */
const MAX_FIELDS = 800;
/** Forms per address and minute. An incomplete form never reaches command-api. */
const LIMIT = { max: 30, timeWindow: 60_000 };

/** Sends the page at the request's URL as it is after submitting this form. */
type SendForm = (
  request: FastifyRequest,
  reply: FastifyReply,
  form: string,
) => Promise<FastifyReply>;

/** The form came from another site's page, or its origin is unknown. */
class ForeignForm extends Error {
  override name = "ForeignForm";
  readonly statusCode = 403;
}

class TooManyFields extends Error {
  override name = "TooManyFields";
  readonly statusCode = 413;
}

/**
 * Registers the commands that browsers without JavaScript send as plain forms. They are forwarded to command-api
 * on the visitor's behalf, so its rate limits count the visitor.
 */
export async function plainPostRoutes(
  site: FastifyInstance,
  publicUrl: string,
  send: SendForm,
): Promise<void> {
  const origin = new URL(publicUrl).origin;
  await site.register(rateLimit, { global: false });
  site.removeAllContentTypeParsers();
  site.addContentTypeParser(
    "application/x-www-form-urlencoded",
    { parseAs: "string" },
    // Checked before parsing, whose cost grows with the number of fields.
    (_request, body, done) =>
      String(body).split("&", MAX_FIELDS + 2).length > MAX_FIELDS + 1
        ? done(new TooManyFields())
        : done(null, body),
  );
  // Checked before the body is read.
  site.addHook("onRequest", async ({ headers }) => {
    if (!isFromThisSite(headers, origin)) throw new ForeignForm();
  });
  const answer = (request: FastifyRequest, reply: FastifyReply) =>
    send(request, reply, String(request.body ?? ""));
  site.post("/report", { bodyLimit: REPORT_BYTES, config: { rateLimit: LIMIT } }, answer);
  for (const path of ["/report-question/:token", "/inquiry-answer/:token"])
    site.post(path, { bodyLimit: ANSWER_BYTES, config: { rateLimit: LIMIT } }, answer);
  site.post(
    "/verify-email/:token",
    { bodyLimit: PASSWORD_BYTES, config: { rateLimit: LIMIT } },
    answer,
  );
}

/**
 * Whether a form comes from this site. Browsers report its origin in `Sec-Fetch-Site` or, on plain HTTP and in
 * older browsers, in `Origin`; no page can forge either.
 */
export function isFromThisSite(
  headers: Readonly<Record<string, string | string[] | undefined>>,
  origin: string,
): boolean {
  const site = headers["sec-fetch-site"];
  return site === undefined ? headers.origin === origin : site === "same-origin";
}
