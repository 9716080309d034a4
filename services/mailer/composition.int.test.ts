import { pino } from "pino";
import { expect, it } from "vitest";
import { forFile } from "#test-kit/for-file.ts";
import { composeMailer } from "./composition.ts";
import { openMailerFixture } from "./testing/mailer.fixture.ts";

const fixture = forFile(openMailerFixture);

/** Shorter than the pool's idle timeout. */
const soon = { timeout: 5_000 };
const log = pino({ level: "silent" });
const connections = async () => {
  const { rows } = await fixture.db.query(
    `select application_name from pg_stat_activity
     where datname = current_database() and application_name like 'mailer%'`,
  );
  return rows;
};

it.each([
  ["its queue", { jobsUrl: "ftp://queue.test" }, /JOBS_URL/],
  ["its transport", { smtpUrl: "ftp://mails.test" }, /SMTP_URL/],
])("closes what it opened when %s cannot be opened", async (_name, overrides, error) => {
  const config = fixture.config({ smtpUrl: "smtp://127.0.0.1:1", ...overrides });
  await expect(composeMailer(config, log)).rejects.toThrow(error);
  await expect.poll(connections, soon).toEqual([]);
});

it("closes everything when it stops", async () => {
  const mailer = await composeMailer(fixture.config({ smtpUrl: "smtp://127.0.0.1:1" }), log);
  expect(await connections()).not.toEqual([]);
  await mailer.stop();
  await expect.poll(connections, soon).toEqual([]);
});
