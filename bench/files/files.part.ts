import { randomBytes, randomUUID } from "node:crypto";
import path from "node:path";
import { buffer } from "node:stream/consumers";
import sharp from "sharp";
import type { Upload } from "#contracts/http/evidence.ts";
import { UPLOAD_SECRET } from "#contracts/report/evidence-rules.ts";
import { openFolderFileStore } from "#files/folder/folder-file-store.ts";
import { SealedFiles } from "#files/sealed-files.ts";
import { type Rate, rateOf, warmUpSeconds } from "../load/rate.ts";
import type { BenchOptions } from "../options.ts";
import { type Row, rounded, rowOf } from "../row.ts";
import { makePerson, makeReport, uniqueLastName } from "../seeding/made-up-reports.ts";
import { Random } from "../seeding/random.ts";
import type { BenchStores } from "../stores.ts";
import type { System } from "../system.ts";

const MIB = 1024 * 1024;
const UPLOADS = "/prod/api/uploads";
/** As a phone takes them, and the bytes of a PDF. */
const PHOTO = { width: 2400, height: 1800 };
const PDF_BYTES = 2 * MIB;
/** Above what any of the files has. */
const LIMIT = 20 * MIB;
/** The last name of the report that is downloaded from; the made-up history never uses it. */
const NAME_NUMBER = 3_000_000;

/** Stores and loads the same bytes without a service around it, raw and sealed. */
interface Bare {
  put(content: Buffer): Promise<unknown>;
  /** Of what was put last. */
  get(): Promise<unknown>;
}

/**
 * Evidence that is uploaded and downloaded one file after the other, against the same bytes in a
 * folder, raw and sealed, in this process.
 */
export async function* fileRows(
  system: System,
  stores: BenchStores,
  { seconds, seed }: BenchOptions,
): AsyncGenerator<Row> {
  const token = await system.signIn();
  const opened = await stores.open();
  const folder = (name: string) => openFolderFileStore(path.join(stores.folder, name));
  const [raw, sealed] = [folder("bare-raw"), folder("bare-sealed")];
  const bares = {
    raw: bareOf(raw),
    sealed: bareOf(new SealedFiles({ files: sealed, keys: opened.keys })),
  };
  const rowFor = (name: string, bytes: number, rate: Rate, bare: Record<"raw" | "sealed", Rate>) =>
    rowOf({
      name,
      profile: stores.profile.name,
      value: mibPerSecond(rate, bytes),
      unit: "MiB/s",
      baseline: mibPerSecond(bare.raw, bytes),
      baselineName: "the same bytes raw",
      p50: rate.p50,
      p99: rate.p99,
      detail: {
        bytes,
        count: rate.count,
        sealedMiBPerSecond: mibPerSecond(bare.sealed, bytes),
        rawP50: bare.raw.p50,
        sealedP50: bare.sealed.p50,
      },
    });
  try {
    for (const [name, content] of [
      ["PDF of 2 MiB", pdfOf(PDF_BYTES)],
      ["photo of 4 megapixels", await photo()],
    ] as const) {
      const rate = await timed(seconds, async () => {
        const begin = performance.now();
        const upload = await send(system.url, content);
        const ms = performance.now() - begin;
        // A network may not leave more than 100 MB behind.
        await takeBack(system.url, upload);
        return ms;
      });
      const bare = await bothOf(bares, (store) =>
        timed(
          seconds,
          ofWork(() => store.put(content)),
        ),
      );
      yield rowFor(`upload, ${name}`, content.length, rate, bare);
    }

    const content = pdfOf(PDF_BYTES);
    const { url, bytes } = await reportWith(system.url, content, seed);
    const rate = await timed(
      seconds,
      ofWork(async () => {
        const loaded = await download(url, token);
        if (loaded !== bytes) throw new Error(`${loaded} bytes of ${bytes} arrived`);
      }),
    );
    const bare = await bothOf(bares, async (store) => {
      await store.put(content);
      return timed(seconds, ofWork(store.get));
    });
    yield rowFor("download by staff, PDF of 2 MiB", bytes, rate, bare);
  } finally {
    await raw.close();
    await sealed.close();
    await opened.close();
  }
}

function bareOf(store: ReturnType<typeof openFolderFileStore> | SealedFiles): Bare {
  let last = "";
  return {
    put(content) {
      last = randomUUID();
      return store.put(last, one(content), LIMIT);
    },
    async get() {
      const found = await store.get(last);
      if (!found || ("state" in found && found.state !== "present"))
        throw new Error("the file is gone");
      return buffer("content" in found ? found.content : found);
    },
  };
}

async function* one(content: Buffer): AsyncGenerator<Buffer, void, void> {
  yield content;
}

async function bothOf<T>(
  { raw, sealed }: Readonly<Record<"raw" | "sealed", Bare>>,
  measure: (store: Bare) => Promise<T>,
): Promise<Record<"raw" | "sealed", T>> {
  return { raw: await measure(raw), sealed: await measure(sealed) };
}

/** Repeats what says how many milliseconds of its time count, one after the other. */
async function timed(seconds: number, work: () => Promise<number>): Promise<Rate> {
  const run = async (ms: number) => {
    const times: number[] = [];
    let spent = 0;
    while (spent < ms) {
      const time = await work();
      times.push(time);
      spent += time;
    }
    return rateOf(times, spent);
  };
  await run(warmUpSeconds(seconds) * 1000);
  return run(seconds * 1000);
}

/** Work of which all time counts. */
const ofWork = (work: () => Promise<unknown>) => async () => {
  const begin = performance.now();
  await work();
  return performance.now() - begin;
};

const mibPerSecond = ({ perSecond }: Rate, bytes: number) => rounded((perSecond * bytes) / MIB, 2);

/** Bytes that no compression makes smaller, as those of a scan. */
function pdfOf(bytes: number): Buffer {
  const [head, tail] = [
    "%PDF-1.7\n1 0 obj<</Type/Catalog>>endobj\n",
    "\ntrailer<</Root 1 0 R>>\nstartxref\n9\n%%EOF\n",
  ];
  const noise = randomBytes(bytes - head.length - tail.length);
  return Buffer.concat([Buffer.from(head), noise, Buffer.from(tail)]);
}

function photo(): Promise<Buffer> {
  const noise = { type: "gaussian", mean: 128, sigma: 12 } as const;
  const create = { ...PHOTO, channels: 3, background: "#808080", noise } as const;
  return sharp({ create }).jpeg({ quality: 85 }).toBuffer();
}

async function send(url: string, content: Buffer): Promise<Upload> {
  const answer = await fetch(url + UPLOADS, {
    method: "POST",
    headers: { "content-type": "application/octet-stream" },
    body: new Uint8Array(content),
  });
  if (!answer.ok) throw new Error(`an upload answered ${answer.status}: ${await answer.text()}`);
  return ((await answer.json()) as { data: Upload }).data;
}

async function takeBack(url: string, { id, secret }: Upload): Promise<void> {
  const headers = { [UPLOAD_SECRET]: secret };
  const answer = await fetch(`${url}${UPLOADS}/${id}`, { method: "DELETE", headers });
  if (!answer.ok) throw new Error(`taking a file back answered ${answer.status}`);
}

/** Submits a report with a file. @returns the address of the file for staff, and its size. */
async function reportWith(url: string, content: Buffer, seed: number) {
  const { id: file, secret, size } = await send(url, content);
  const random = new Random(seed);
  const report = makeReport(random, makePerson(random, uniqueLastName(NAME_NUMBER)));
  const answer = await fetch(`${url}/prod/api/reports/submit`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ ...report, evidence: [{ id: file, secret, name: "scan.pdf" }] }),
  });
  const { data } = (await answer.json()) as { data?: { id: string } };
  if (!data) throw new Error(`a submit answered ${answer.status}`);
  return { url: `${url}/prod/api/admin/reports/${data.id}/evidence/${file}`, bytes: size };
}

/** @returns how many bytes arrived. */
async function download(url: string, token: string): Promise<number> {
  const answer = await fetch(url, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: "{}",
  });
  if (!answer.ok) throw new Error(`a download answered ${answer.status}: ${await answer.text()}`);
  return (await answer.arrayBuffer()).byteLength;
}
