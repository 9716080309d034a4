import type pg from "pg";
import { afterEach, beforeEach, expect, it } from "vitest";
import { startTcpProxy, type TcpProxy } from "#event-store/contract/tcp-proxy.ts";
import { openPool } from "#runtime/db/pool.ts";
import { forTest } from "#test-kit/for-file.ts";
import { eventually } from "#test-kit/reached-position.ts";
import { openFixture } from "../testing/projector.fixture.ts";
import { acquireLease, type Lease, type LeaseOptions } from "./lease.ts";

const fixture = forTest(openFixture);
let network: TcpProxy;
let beats: pg.Pool;

beforeEach(async () => {
  const { hostname, port } = new URL(fixture.config.databaseUrl);
  network = await startTcpProxy({ host: hostname, port: Number(port) });
  beats = openPool({ url: distant(), name: "beats", max: 2, statementMs: 200, connectMs: 200 });
});
afterEach(async () => {
  network?.restore();
  await beats?.end();
  await network?.close();
});

/** The database's URL through the network that the test silences. */
function distant(): string {
  const url = new URL(fixture.config.databaseUrl);
  url.host = `127.0.0.1:${network.port}`;
  return url.href;
}

function acquire(options: Partial<LeaseOptions> = {}): Promise<Lease> {
  return acquireLease({
    processor: "reports",
    url: distant(),
    beats,
    relaxed: true,
    times: { beatMs: 50, staleMs: 400, pollMs: 20 },
    signal: new AbortController().signal,
    onStandby: () => undefined,
    ...options,
  });
}

it("gives up the lease and its pending queries when no heartbeat is answered, and reacquires it", async () => {
  const lease = await acquire();
  network.swallow();
  let failure: Error | undefined;
  lease.client.query("select 1").catch((error: Error) => {
    failure = error;
  });
  await eventually("the lease is lost", () => lease.lost.aborted);
  await eventually("the statement fails", () => failure !== undefined);
  expect(() => lease.assertHeld()).toThrow(/is lost/);
  await lease.release();
  network.restore();
  const again = await acquire();
  again.assertHeld();
  await again.release();
});

it("does not wait long on a silent network while another process owns the processor", async () => {
  const owner = await acquire();
  let failure: Error | undefined;
  const waits = acquire({ onStandby: () => network.swallow() }).catch((error: Error) => {
    failure = error;
  });
  await eventually("the standby gives its connection up", () => failure !== undefined);
  await waits;
  expect(failure?.message).toBe("Query read timeout");
  await owner.release();
});

it("takes over from a process that froze just as it got the lock", async () => {
  const local = { url: fixture.config.databaseUrl, beats: fixture.pool };
  const inDatabase = (condition: string) => async () =>
    (
      await fixture.rows(
        `select 1 from pg_stat_activity activity where datname = current_database()
           and application_name = 'projector reports' and pid <> $1 and ${condition}`,
        [holder],
      )
    ).length > 0;
  const owner = await acquire(local);
  const [{ holder } = { holder: 0 }] = (
    await owner.client.query<{ holder: number }>("select pg_backend_pid() as holder")
  ).rows;
  const times = { beatMs: 50, staleMs: 600_000, pollMs: 1000 };
  const frozen = acquire({ times }).catch((error: Error) => error);
  await eventually(
    "the standby pauses",
    inDatabase("state = 'idle' and query like '%pg_terminate_backend%'"),
  );
  network.loseAnswers();
  await owner.release();
  await eventually(
    "the standby has the lock but got no reply",
    inDatabase(`exists (select from pg_locks where pg_locks.pid = activity.pid
      and locktype = 'advisory' and granted)`),
  );
  const lease = await acquire(local);
  lease.assertHeld();
  await lease.release();
  network.restore();
  expect(await frozen).toBeInstanceOf(Error);
});
