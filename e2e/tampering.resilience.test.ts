import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { dataPaths } from "#launcher/data-folder.ts";
import { endLeftovers } from "#local-servers/postgres/open.ts";
import { eventually } from "#test-kit/reached-position.ts";
import { onDatabase } from "./support/database.ts";
import { type Registry, runCommand, startRegistry } from "./support/registry.ts";
import { chargeback } from "./support/reports.ts";

let scratch: string;
let dataDir: string;
let registry: Registry;
let report: string;

beforeAll(async () => {
  scratch = await mkdtemp(path.join(os.tmpdir(), "registry-tampering-"));
  dataDir = path.join(scratch, "data");
  registry = await startRegistry({ dataDir });
  const submitted = await Promise.all([submit(), submit(), submit()]);
  report = submitted[1] ?? "";
});
afterAll(async () => {
  registry?.signal("SIGKILL");
  await registry?.exited;
  await endLeftovers(dataPaths(dataDir).cluster);
  await rm(scratch, { recursive: true, force: true, maxRetries: 5 });
});

async function submit(): Promise<string> {
  const answer = await fetch(`${registry.url}/prod/api/reports/submit`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(chargeback),
  });
  expect(answer.status).toBe(200);
  return ((await answer.json()) as { data: { id: string } }).data.id;
}

const verify = () => runCommand("audit-verify", [], { dataDir });

interface StoredText {
  readonly id: string;
  readonly data: string;
  readonly metadata: string;
}

/** Returns the report's first event, as stored. */
async function stored(): Promise<StoredText> {
  const { rows } = await onDatabase(dataDir, (client) =>
    client.query<StoredText>(
      `select id, data::text, metadata::text from event_log.event
       where stream = $1 and revision = 0`,
      [`report-${report}`],
    ),
  );
  return rows[0] as StoredText;
}

/** Stores it as the database's owner could, whom the trigger against mistakes does not stop. */
async function store({ id, data, metadata }: StoredText): Promise<void> {
  await onDatabase(dataDir, async (client) => {
    await client.query("alter table event_log.event disable trigger append_only");
    const values = [id, data, metadata];
    await client.query("update event_log.event set data = $2, metadata = $3 where id = $1", values);
    await client.query("alter table event_log.event enable always trigger append_only");
  });
}

/** Returns the text with one byte changed: the character after `before`. */
function changed(text: string, before: string): string {
  const at = text.indexOf(before) + before.length;
  expect(at, text).toBeGreaterThanOrEqual(before.length);
  return text.slice(0, at) + (text[at] === "7" ? "8" : "7") + text.slice(at + 1);
}

describe("a single changed byte", () => {
  it.each<[string, (event: StoredText) => Partial<StoredText>]>([
    ["in a stored event", ({ data }) => ({ data: changed(data, '"amount_cents":') })],
    ["in a stored hash", ({ metadata }) => ({ metadata: changed(metadata, '"hash":"') })],
    ["in a sealed part", ({ data }) => ({ data: changed(data, '"box":"') })],
  ])("%s is found and named by audit:verify", async (_where, change) => {
    expect(await verify()).toMatchObject({ code: 0 });
    const before = await stored();
    await store({ ...before, ...change(before) });
    const { code, output } = await verify();
    expect(code).toBe(1);
    expect(output).toContain(
      `The log does not verify at event ${before.id} (stream report-${report}, revision 0,`,
    );
    await store(before);
    expect(await verify()).toMatchObject({ code: 0 });
  });

  it("in a checkpoint stops its processor; /readyz names it and the remedy", async () => {
    const readiness = async () => {
      const answer = await fetch(`${registry.url}/readyz`);
      const { services } = (await answer.json()) as Readyz;
      return { status: answer.status, ...services.projector.checks.offenders?.detail };
    };
    expect((await readiness()).status).toBe(200);
    await onDatabase(dataDir, (client) =>
      client.query(
        `update processor.checkpoint
         set position = overlay(position placing translate(right(position, 1), '0123456789', '1234567890') from length(position))
         where processor = 'offenders'`,
      ),
    );
    await eventually("the processor stops", async () => (await readiness()).state === "stopped");
    expect(await readiness()).toMatchObject({
      status: 503,
      code: "checkpoint_damaged",
      cause: "the checkpoint of offenders was changed from outside: npm run rebuild -- offenders",
    });
    expect(await runCommand("rebuild", ["offenders"], { dataDir })).toMatchObject({ code: 0 });
    await eventually("it goes on", async () => (await readiness()).status === 200);
  });
});

interface Readyz {
  readonly services: {
    readonly projector: {
      readonly checks: Readonly<
        Record<string, { readonly detail: { state: string; code?: string; cause?: string } }>
      >;
    };
  };
}
