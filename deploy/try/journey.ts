/** `node journey.ts <file of the admin's password>`: a report's life, with evidence, on the published ports. */
import assert from "node:assert/strict";
import sharp from "sharp";
import { ask, download, eventually, signIn, upload } from "./site.ts";

const MAILS = "http://127.0.0.1:8025";

/** A PDF with an empty page, stored unchanged, and a picture, reencoded by a separate process. */
const pdf = Buffer.from(
  `%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]>>endobj
trailer<</Root 1 0 R>>
startxref
0
%%EOF
`,
);
const SIDE = 48;
const create = { width: SIDE, height: SIDE, channels: 3, background: "#17407c" } as const;
const invoice = await upload("invoice.pdf", pdf);
const parcel = await upload("parcel.png", Buffer.from(await sharp({ create }).png().toBuffer()));

// A new one each time, as there may be emails from an earlier journey.
const reporter_email = `rae-${crypto.randomUUID()}@shop.example`;
const submitted = await ask(
  "POST",
  "/prod/api/reports/submit",
  {
    report_type: "chargeback",
    title: "Disputed a delivered order",
    description: "Signed for the parcel, then disputed the charge.",
    ...{ first_name: "Quinn", last_name: "Ames", city: "Denver", state: "CO", zip: "80202" },
    ...{ last_4: "4242", amount: 412.5, transaction_date: "2026-05-02" },
    ...{ reporter_first_name: "Rae", reporter_last_name: "Holt", reporter_email },
    evidence: [invoice, parcel],
    terms_accepted: true,
  },
  { "idempotency-key": crypto.randomUUID() },
);
assert.equal(submitted.status, 200, "the report is taken");
const { id } = submitted.data as { id: string };

const link = await eventually("the mail", async () => {
  const mails = (await (await fetch(MAILS)).json()) as { to: string[]; raw: string }[];
  const mail = mails.find(({ to }) => to.includes(reporter_email));
  const words = mail?.raw.replaceAll(/=\r?\n/g, "").replaceAll("=3D", "=");
  return /http:\/\/127\.0\.0\.1:3000(\/verify-email\/[\w.-]+)/.exec(words ?? "")?.[1];
});
assert.equal((await ask("GET", link)).status, 200, "the page of the link");
assert.equal((await ask("POST", `/prod/api${link}`, {})).status, 200, "the address is confirmed");

const { authorization } = await signIn(process.argv[2] ?? "");
const report = `/prod/api/admin/reports/${id}`;
const approved = await ask("POST", `${report}/approve`, {}, { authorization });
assert.equal(approved.status, 200, "the report is approved");

const opened = await download(`${report}/evidence/${invoice.id}`, { authorization });
assert.deepEqual(opened, pdf, "the PDF is what was sent");
const drawn = await sharp(
  await download(`${report}/evidence/${parcel.id}`, { authorization }),
).metadata();
assert.deepEqual([drawn.width, drawn.height], [SIDE, SIDE], "the picture is whole");

const name = await eventually("the report in the search", async () => {
  const found = await ask("GET", "/prod/api/reports/search?q=quinn%20aems");
  return JSON.stringify(found.data).match(/"seo_title":"([^"]+)"/)?.[1];
});
const page = await ask("GET", `/report/${name}`);
assert.equal(page.status, 200, "the report's page");
assert.match(String(page.data), /Disputed a delivered order/);
assert.equal((await ask("GET", "/admin")).status, 200, "the console");
assert.equal((await ask("GET", "/docs/json")).status, 200, "the description of the API");
assert.equal((await ask("GET", "/metrics")).status, 404, "figures are not for strangers");
assert.equal((await ask("DELETE", report, {}, { authorization })).status, 200, "it is deleted");
await eventually("the end of its page", async () =>
  (await ask("GET", `/report/${name}`)).status === 410 ? true : undefined,
);
console.log("The journey through HAProxy works.");
