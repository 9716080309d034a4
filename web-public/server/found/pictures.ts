import rateLimit from "@fastify/rate-limit";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { ReportDetail } from "#contracts/http/report-view.ts";
import { formatMoney } from "#contracts/report/money.ts";
import { REPORT_TYPES } from "#contracts/report/words.ts";
import { color } from "#theme/tokens.ts";
import { getReport } from "../../src/api/reads.ts";
import { cut } from "../../src/lib/cut.ts";
import { formatDate, formatPlace } from "../../src/lib/format.ts";
import { type Card, createCardStore, TooManyCards } from "./draw-card.ts";
import { type FoundOptions, registryFor, sendPlain } from "./registry-for.ts";

/** Pictures for one address in a minute. */
const LIMIT = { max: 120, timeWindow: 60_000 };

export interface PictureOptions extends FoundOptions {
  /** Takes the pictures that are kept. */
  readonly caches?: { add(cache: { clear(): number }): unknown };
  /** Asks query-api what every page shows, and whether the caches are to be emptied. */
  readonly siteFacts?: () => Promise<unknown>;
}

/** The drawn pictures that pages name for those who share their addresses (Open Graph). */
export async function pictureRoutes(site: FastifyInstance, options: PictureOptions): Promise<void> {
  await site.register(rateLimit, { global: false });
  const cardOf = createCardStore();
  options.caches?.add(cardOf);
  const frame = { product: options.productName, host: new URL(options.publicUrl).host };

  async function send(request: FastifyRequest, reply: FastifyReply, card: Card) {
    // It empties the caches if an admin has asked for that since the last page.
    await options.siteFacts?.().catch(() => undefined);
    const { png, tag } = await cardOf(card);
    reply.header("etag", tag).header("cache-control", "public, max-age=60");
    if (request.headers["if-none-match"] === tag) return reply.code(304).send();
    return reply.type("image/png").send(png);
  }

  const busy = (reply: FastifyReply) =>
    sendPlain(reply.header("retry-after", "5"), 503, "Please try again in a moment.");

  site.get("/picture.png", { config: { rateLimit: LIMIT } }, async (request, reply) => {
    try {
      return await send(request, reply, siteCard(frame));
    } catch (error) {
      if (error instanceof TooManyCards) return busy(reply);
      throw error;
    }
  });
  site.get<{ Params: { seoTitle: string } }>(
    "/report/:seoTitle/picture.png",
    { config: { rateLimit: LIMIT } },
    async (request, reply) => {
      try {
        const report = await getReport(registryFor(request, options), request.params.seoTitle);
        return await send(request, reply, reportCard(frame, report));
      } catch (error) {
        if (error instanceof TooManyCards) return busy(reply);
        return sendPlain(reply, error, "There is no picture at this address.");
      }
    },
  );
}

/** Characters of a place, so that the date always has room beside it. */
const PLACE = 28;

type Frame = Pick<Card, "product" | "host">;

function siteCard(frame: Frame): Card {
  return {
    ...frame,
    above: "A public registry of",
    large: "Chargeback fraud",
    below: "and bad checks",
    colour: color.ink,
  };
}

const COLOURS: Readonly<Record<string, string>> = {
  resolved: color.settled,
  partially_resolved: color.warning,
};

/** Kind, amount, place and date of a report: nobody is named. */
export function reportCard(frame: Frame, report: ReportDetail): Card {
  return {
    ...frame,
    above: `${REPORT_TYPES[report.report_type]} report, total due`,
    large: formatMoney(report.total_due, report.currency),
    below: `${cut(formatPlace(report), PLACE)} · ${formatDate(report.created_at)}`,
    colour: COLOURS[report.resolved ? "resolved" : report.resolution_status] ?? color.due,
  };
}
