import rateLimit from "@fastify/rate-limit";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";

/** A report with every field filled in, of which each character may take nine bytes in a form. */
const REPORT_BYTES = 256 * 1024;
/** An answer of 5,000 characters, of which each may take nine bytes in a form. */
const ANSWER_BYTES = 64 * 1024;
/** A password of 1,000 characters, of which each may take nine bytes in a form. */
const PASSWORD_BYTES = 16 * 1024;
/** Fields of the longest form: a report with fifty additional chargebacks has some 600. */
const MOST_FIELDS = 800;
/** Forms from one address in a minute. A form that is not complete never reaches command-api. */
const LIMIT = { max: 30, timeWindow: 60_000 };

/** Answers with the page at the request's address, as it is after this form. */
type SendForm = (
  request: FastifyRequest,
  reply: FastifyReply,
  form: string,
) => Promise<FastifyReply>;

/** The form came from a page of another site, or nothing says from where. */
class ForeignForm extends Error {
  override name = "ForeignForm";
  readonly statusCode = 403;
}

class TooManyFields extends Error {
  override name = "TooManyFields";
  readonly statusCode = 413;
}

/**
 * The commands that browsers without JavaScript send as plain forms. They are passed on to
 * command-api in the visitor's name, so its limits count the visitor.
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
    // Before it is taken apart, which takes longer the more fields there are.
    (_request, body, done) =>
      String(body).split("&", MOST_FIELDS + 2).length > MOST_FIELDS + 1
        ? done(new TooManyFields())
        : done(null, body),
  );
  // Before the body is read.
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
 * Browsers say where a form comes from, and no page can make them say something else: in
 * `Sec-Fetch-Site` or, on plain HTTP and in older ones, in `Origin`.
 */
export function isFromThisSite(
  headers: Readonly<Record<string, string | string[] | undefined>>,
  origin: string,
): boolean {
  const site = headers["sec-fetch-site"];
  return site === undefined ? headers.origin === origin : site === "same-origin";
}
