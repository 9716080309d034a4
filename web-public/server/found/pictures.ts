import { createHash } from "node:crypto";
import rateLimit from "@fastify/rate-limit";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import pLimit from "p-limit";
import sharp from "sharp";
import type { ReportDetail } from "#contracts/http/report-view.ts";
import { formatMoney } from "#contracts/report/money.ts";
import { REPORT_TYPES } from "#contracts/report/words.ts";
import { color } from "#theme/tokens.ts";
import { cut } from "../../src/lib/cut.ts";
import { formatDate, formatPlace } from "../../src/lib/format.ts";
import { type DrawText, openInter } from "./inter-text.ts";
import { type FoundOptions, registryFor, sendPlain } from "./registry-for.ts";

/** Text of a page's picture. Names no one. */
export interface Card {
  readonly product: string;
  /** The site's host name. */
  readonly host: string;
  /** The large line: an amount, or for the site, what it is. */
  readonly large: string;
  /** The lines above and below `large`. */
  readonly above: string;
  readonly below: string;
  readonly color: string;
}

/** The size that social networks show uncropped. */
export const CARD = { width: 1200, height: 630 } as const;
const LEFT = 72;
const WIDTH = CARD.width - 2 * LEFT;
const BAND = 96;
const FAINT = "#d5dfeb";

let opened: Promise<DrawText> | undefined;

/** Draws a page's picture, as a PNG. */
export async function drawCard(card: Card): Promise<Buffer> {
  opened ??= openInter();
  const svg = cardSvg(card, await opened);
  return sharp(Buffer.from(svg)).png({ palette: true, colors: 64, effort: 4 }).toBuffer();
}

function cardSvg(card: Card, text: DrawText): string {
  const { width, height } = CARD;
  const band = height - BAND;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">`,
    `<rect width="${width}" height="${height}" fill="${color.paper}"/>`,
    `<rect y="${band}" width="${width}" height="${BAND}" fill="${color.inverse}"/>`,
    mark(LEFT, 64),
    text(
      card.product,
      line(LEFT + 72, 102, 36, color.primary, { strong: true, width: WIDTH - 72 }),
    ),
    text(card.above, line(LEFT, 256, 44, color.inkMuted)),
    text(
      card.large,
      line(LEFT, 376, card.large.length > 14 ? 72 : 112, card.color, { strong: true }),
    ),
    text(card.below, line(LEFT, 460, 44, color.ink)),
    text("Reported, not independently verified", line(LEFT, band + 60, 32, color.inkInverse)),
    text(card.host, {
      ...line(width - LEFT, band + 60, 28, FAINT, { width: WIDTH - 620 }),
      end: true,
    }),
    "</svg>",
  ].join("");
}

function line(
  x: number,
  y: number,
  size: number,
  fill: string,
  change: { strong?: boolean; width?: number } = {},
) {
  return { x, y, size, fill, width: WIDTH, ...change };
}

function mark(x: number, y: number): string {
  return `<g transform="translate(${x} ${y}) scale(2.2)"><rect width="24" height="24" rx="5" fill="${color.primary}"/><path d="M6 7.5h12M6 12h7M6 16.5h12" stroke="#fff" stroke-width="2" stroke-linecap="round"/><circle cx="17" cy="12" r="1.75" fill="${color.warningLine}"/></g>`;
}

/** Maximum number of cached pictures, about 20 kB each. */
const KEPT = 200;
/** Maximum queue length. Pictures are drawn one at a time, in about 100 ms. */
const WAITING = 16;

interface DrawnCard {
  readonly png: Buffer;
  /** HTTP entity tag. */
  readonly tag: string;
}

/** Too many pictures are waiting to be drawn. */
export class TooManyCards extends Error {
  override name = "TooManyCards";
}

/** Draws and caches pictures. The cache key is the picture's text, so an edited report gets a new picture. */
export function createCardStore(draw: (card: Card) => Promise<Buffer> = drawCard) {
  const oneAtATime = pLimit(1);
  const kept = new Map<string, Promise<DrawnCard>>();

  async function drawn(card: Card): Promise<DrawnCard> {
    const png = await oneAtATime(() => draw(card));
    return { png, tag: `"${createHash("sha256").update(png).digest("base64url").slice(0, 22)}"` };
  }

  /** @throws {TooManyCards} */
  function get(card: Card): Promise<DrawnCard> {
    const key = JSON.stringify(card);
    const found = kept.get(key);
    if (!found && oneAtATime.pendingCount >= WAITING) return Promise.reject(new TooManyCards());
    const picture = found ?? drawn(card);
    // Map order is usage order, so the first entry is the least recently used.
    kept.delete(key);
    kept.set(key, picture);
    if (!found)
      picture.catch(() => {
        if (kept.get(key) === picture) kept.delete(key);
      });
    const [oldest] = kept.keys();
    if (kept.size > KEPT && oldest !== undefined) kept.delete(oldest);
    return picture;
  }
  /** Clears the cache. @returns how many pictures it held. */
  const clear = () => {
    const { size } = kept;
    kept.clear();
    return size;
  };
  return Object.assign(get, { clear });
}

const LIMIT = { max: 120, timeWindow: 60_000 };

export interface PictureOptions extends FoundOptions {
  /** Registers the picture cache. */
  readonly caches?: { add(cache: { clear(): number }): unknown };
  /** Reads the facts for every page from query-api, and whether caches should be cleared. */
  readonly siteFacts?: () => Promise<unknown>;
}

/** Serves the generated pictures that pages name in their Open Graph tags. */
export async function pictureRoutes(site: FastifyInstance, options: PictureOptions): Promise<void> {
  await site.register(rateLimit, { global: false });
  const cardOf = createCardStore();
  options.caches?.add(cardOf);
  const frame = { product: options.productName, host: new URL(options.publicUrl).host };

  async function send(request: FastifyRequest, reply: FastifyReply, card: Card) {
    // Clears the caches if an admin requested it since the last page.
    await options.siteFacts?.().catch(() => undefined);
    try {
      const { png, tag } = await cardOf(card);
      reply.header("etag", tag).header("cache-control", "public, max-age=60");
      if (request.headers["if-none-match"] === tag) return reply.code(304).send();
      return reply.type("image/png").send(png);
    } catch (error) {
      if (!(error instanceof TooManyCards)) throw error;
      return sendPlain(reply.header("retry-after", "5"), 503, "Please try again in a moment.");
    }
  }

  site.get("/picture.png", { config: { rateLimit: LIMIT } }, (request, reply) =>
    send(request, reply, siteCard(frame)),
  );
  site.get<{ Params: { seoTitle: string } }>(
    "/report/:seoTitle/picture.png",
    { config: { rateLimit: LIMIT } },
    async (request, reply) => {
      try {
        const path = `/api/reports/${encodeURIComponent(request.params.seoTitle)}`;
        const report = await registryFor(request, options).get<ReportDetail>(path);
        return await send(request, reply, reportCard(frame, report));
      } catch (error) {
        return sendPlain(reply, error, "There is no picture at this address.");
      }
    },
  );
}

/** Maximum length of a place, so that there is always room for the date. */
const PLACE = 28;

type Frame = Pick<Card, "product" | "host">;

function siteCard(frame: Frame): Card {
  return {
    ...frame,
    above: "A public registry of",
    large: "Chargeback fraud",
    below: "and bad checks",
    color: color.ink,
  };
}

const COLORS: Readonly<Record<string, string>> = {
  resolved: color.settled,
  partially_resolved: color.warning,
};

/** Returns a report's card: type, amount, place and date, but no name. */
export function reportCard(frame: Frame, report: ReportDetail): Card {
  return {
    ...frame,
    above: `${REPORT_TYPES[report.report_type]} report, total due`,
    large: formatMoney(report.total_due, report.currency),
    below: `${cut(formatPlace(report), PLACE)} · ${formatDate(report.created_at)}`,
    color: COLORS[report.resolved ? "resolved" : report.resolution_status] ?? color.due,
  };
}
