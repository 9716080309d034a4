import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { FILE_BYTES } from "#contracts/report/evidence-rules.ts";
import {
  findClamd,
  HARMFUL,
  startClamd,
  startStandIn,
  type TestScanner,
} from "../testing/clamd.ts";
import { type Fixture, startCommandApi } from "../testing/command-api.fixture.ts";
import { pdf, picture, sendFile, storedFiles } from "../testing/uploads.fixture.ts";
import { clamavAt, FileInfected, ScannerUnavailable } from "./file-bodies.ts";

const harmful = Buffer.concat([pdf.subarray(0, -6), Buffer.from(`% ${HARMFUL}\n%%EOF\n`)]);
const isHarmful = (file: Buffer) => file.includes(HARMFUL);
const program = findClamd();

describe.each([
  ["a server that speaks its protocol", true],
  ["ClamAV's own daemon", program !== undefined],
])("uploads that are scanned by %s", (kind, isThere) => {
  const test = it.skipIf(!isThere);
  let scanner: TestScanner;
  let fixture: Fixture;
  beforeAll(async () => {
    if (!isThere) return;
    scanner =
      kind === "ClamAV's own daemon"
        ? await startClamd(program as string)
        : await startStandIn((file) =>
            isHarmful(file) ? "stream: Registry.Test.UNOFFICIAL FOUND\0" : "stream: OK\0",
          );
    fixture = await startCommandApi({ clamavUrl: scanner.url });
  });
  afterAll(async () => {
    await fixture?.close();
    await scanner?.stop().catch(() => undefined);
  });
  const rows = async () =>
    Number((await fixture.db.query("select count(*) from command.upload")).rows[0].count);

  test("are accepted if nothing is found, whatever their size", async () => {
    for (const file of [pdf, await picture("png")])
      expect((await sendFile(fixture, file)).statusCode).toBe(200);
    const scan = clamavAt(scanner.url);
    await scan(randomBytes(FILE_BYTES));
    await scan(Buffer.from("x"));
  });

  test("are refused on a hit, without naming the signature, and leave nothing behind", async () => {
    const before = [await rows(), (await storedFiles(fixture)).length];
    const answer = await sendFile(fixture, harmful);
    expect(answer.statusCode).toBe(400);
    const { error } = answer.json();
    expect(error.code).toBe("file_refused");
    expect(error.message).toContain("virus scanner found something harmful");
    expect(answer.body).not.toContain("Registry.Test");
    expect([await rows(), (await storedFiles(fixture)).length]).toEqual(before);
    await expect(clamavAt(scanner.url)(harmful)).rejects.toThrow(FileInfected);
  });

  test("are refused with 503 while the scanner is unavailable, and leave nothing behind", async () => {
    const before = [await rows(), (await storedFiles(fixture)).length];
    await scanner.stop();
    const answer = await sendFile(fixture, pdf);
    expect(answer.statusCode).toBe(503);
    expect(answer.json().error.message).toContain("can't check files for viruses right now");
    expect([await rows(), (await storedFiles(fixture)).length]).toEqual(before);
  });
});

describe("a scanner without a verdict", () => {
  it.each([
    ["an error", () => "INSTREAM size limit exceeded. ERROR\0"],
    ["an incomplete reply", () => "stream: OK"],
    ["an unexpected word", () => "stream: OKAY\0"],
    ["an endless reply", () => "x".repeat(10_000)],
    ["silence", () => undefined],
  ])("counts as unavailable: %s", async (_what, verdict) => {
    const scanner = await startStandIn(verdict);
    await expect(clamavAt(scanner.url, 300)(pdf)).rejects.toThrow(ScannerUnavailable);
    await scanner.stop();
  });
});
