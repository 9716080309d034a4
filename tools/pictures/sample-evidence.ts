import { setTimeout } from "node:timers/promises";
import sharp from "sharp";
import { TERMS_VERSION } from "#contracts/report/words.ts";
import { post } from "../../e2e/support/calls.ts";

/** Milliseconds until an approved report has a page, on a busy machine. */
const TIMEOUT_MS = 30_000;

/** A published report with evidence. */
export interface SampleEvidence {
  /** Path of its page. */
  readonly evidence: string;
  /** Its ID. */
  readonly moderated: string;
}

/** Submits a report with three files, approves it, and publishes pictures of the first two. */
export async function publishSampleEvidence(url: string, token: string): Promise<SampleEvidence> {
  const check = await drawing(900, 400, ["CHECK 1042", "Pay to Harborlight Audio", "$ 640.00"]);
  const letter = await drawing(600, 850, ["NOTICE OF RETURN", "Check 1042", "Insufficient funds"]);
  const receipt = await drawing(700, 500, ["RECEIPT", "Two speakers", "$ 640.00"]);
  const named = async (name: string, content: Buffer) => {
    const { id, secret } = await post<{ id: string; secret: string }>(url, "/uploads", content);
    return { id, secret, name };
  };
  const evidence = [
    await named("check-front.png", check),
    await named("notice-of-the-bank-about-the-returned-check-of-may.png", letter),
    await named("receipt.png", receipt),
  ];
  const { id } = await post<{ id: string }>(url, "/reports/submit", { ...REPORT, evidence });
  await post(url, `/admin/reports/${id}/approve`, {}, token);
  const publish = (file: string, content: Buffer, query: string) =>
    post(url, `/admin/reports/${id}/evidence/${file}/publish?${query}`, content, token);
  const [first, second] = evidence;
  await publish(first?.id ?? "", check, "kind=check_image&boxes=0");
  await publish(second?.id ?? "", letter, "boxes=0");
  return { evidence: `/report/${await nameOf(url, id, token)}`, moderated: id };
}

/** Returns the slug of a report's page once it shows its two pictures. */
async function nameOf(url: string, id: string, token: string): Promise<string> {
  const read = async (route: string) => {
    const reply = await fetch(`${url}/prod/api${route}`, {
      headers: { authorization: `Bearer ${token}` },
    });
    return reply.ok ? ((await reply.json()) as { data: Record<string, unknown> }).data : {};
  };
  for (let waited = 0; waited < TIMEOUT_MS; waited += 100) {
    const { seo_title: name } = await read(`/admin/reports/${id}`);
    if (name) {
      const { evidence } = await read(`/reports/${name}`);
      if (Array.isArray(evidence) && evidence.length === 2) return String(name);
    }
    await setTimeout(100);
  }
  throw new Error(`Report ${id} has no page with its evidence`);
}

/** Draws lines of text on paper. */
function drawing(width: number, height: number, lines: readonly string[]): Promise<Buffer> {
  const texts = lines.map(
    (line, index) => `<text x="40" y="${90 + index * 90}" font-size="40">${line}</text>`,
  );
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
    <rect width="100%" height="100%" fill="#e9f0e2"/>${texts.join("")}</svg>`;
  return sharp(Buffer.from(svg)).png().toBuffer();
}

const REPORT = {
  report_type: "bad_check",
  title: "Paid for two speakers with a check that came back",
  description: "The bank returned the check, and nobody answered our letters.",
  first_name: "Orla",
  last_name: "Castellan",
  city: "Tampa",
  state: "FL",
  zip: "33602",
  check_number: "1042",
  bank_name: "Bank of the Pictures",
  check_amount: 640,
  check_date: "2026-05-02",
  check_reason: "nsf",
  reporter_first_name: "Dana",
  reporter_last_name: "Ruiz",
  reporter_email: "dana-of-the-pictures@shop.example",
  terms_accepted: true,
  terms_version: TERMS_VERSION,
};
