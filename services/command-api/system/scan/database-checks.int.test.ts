import pg from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { SERVICE_ROLES } from "#runtime/db/service-roles.ts";
import { type OwnServer, startOwnServer } from "#test-kit/own-server.ts";
import { databaseChecks } from "./checks.ts";

// Its own server, because roles and their attributes are shared by all databases of a server.
let server: OwnServer;
let db: pg.Client;
beforeAll(async () => {
  server = await startOwnServer();
  db = new pg.Client({ connectionString: server.url });
  await db.connect();
  for (const role of [...Object.values(SERVICE_ROLES), "somebody_else"])
    await db.query(`create role ${role} login`);
});
afterAll(async () => {
  await db?.end();
  await server?.dispose();
});

const found = () =>
  databaseChecks(db)
    .find(({ code }) => code === "role_rights")
    ?.find();

it("finds nothing wrong with roles as created, nor with roles that no service uses", async () => {
  await db.query("alter role somebody_else superuser");
  expect(await found()).toBeUndefined();
});

it.each(["superuser", "createrole", "createdb", "bypassrls", "replication"])(
  "finds a service role that was made more powerful, until that is reverted: %s",
  async (attribute) => {
    await db.query(`alter role ${SERVICE_ROLES.mailer} ${attribute}`);
    expect(await found()).toMatch(/^1 service role can .* ALTER ROLE\.$/);
    await db.query(`alter role ${SERVICE_ROLES.backup} ${attribute}`);
    expect(await found()).toMatch(/^2 service roles can /);
    for (const role of [SERVICE_ROLES.mailer, SERVICE_ROLES.backup])
      await db.query(`alter role ${role} no${attribute}`);
    expect(await found()).toBeUndefined();
  },
);
