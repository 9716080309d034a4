import { readdir } from "node:fs/promises";
import sharp from "sharp";
import { expect } from "vitest";
import type { Upload } from "#contracts/http/evidence.ts";
import { UPLOAD_SECRET } from "#contracts/report/evidence-rules.ts";
import type { Fixture } from "./command-api.fixture.ts";

export const UPLOADS = "/prod/api/uploads";

/** A small PDF with one page. */
export const pdf = Buffer.from(
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

/** A picture of one color. */
export function picture(format: "png" | "jpeg" | "webp" = "png", size = 32): Promise<Buffer> {
  const create = { width: size, height: size, channels: 3, background: "#17407c" } as const;
  return sharp({ create }).toFormat(format).toBuffer();
}

export function sendFile(fixture: Fixture, content: Buffer, headers: Record<string, string> = {}) {
  return fixture.api.app.inject({
    method: "POST",
    url: UPLOADS,
    headers: { "content-type": "application/octet-stream", ...headers },
    payload: content,
  });
}

/** Uploads a file, which must be accepted. */
export async function upload(fixture: Fixture, content: Buffer = pdf): Promise<Upload> {
  const answer = await sendFile(fixture, content);
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json().data;
}

export function deleteUpload(fixture: Fixture, id: string, secret: string) {
  return fixture.api.app.inject({
    method: "DELETE",
    url: `${UPLOADS}/${id}`,
    headers: { [UPLOAD_SECRET]: secret },
  });
}

/** References an upload in a submission. */
export const named = ({ id, secret }: Upload, name = "invoice.pdf") => ({ id, secret, name });

/** Names of everything in the file store. */
export async function storedFiles({ filesFolder }: Fixture): Promise<string[]> {
  const found = await readdir(filesFolder, { recursive: true, withFileTypes: true });
  return found.filter((entry) => entry.isFile()).map(({ name }) => name);
}
