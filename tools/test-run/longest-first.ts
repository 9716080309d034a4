import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * Files that take most of a minute or more, whatever their size, longest first. If one of them
 * starts late, the machine idles at the end. Vitest itself knows only sizes in a checkout that has
 * not run any test yet.
 */
const LONG = [
  "e2e/silent-stores.int.test.ts",
  "services/projector/killed.int.test.ts",
  "packages/search/opensearch/opensearch-search.int.test.ts",
  "e2e/backup-histories.int.test.ts",
  "e2e/process-start.int.test.ts",
  "e2e/roles.int.test.ts",
  "e2e/bad-input.int.test.ts",
  "services/projector/projections/search/opensearch-target.int.test.ts",
  "services/mailer/jobs/redis-mail-jobs.int.test.ts",
  "packages/event-store/eventstoredb/stand-in.int.test.ts",
  "packages/local-servers/postgres/embedded-postgres.int.test.ts",
  "e2e/command-usage.int.test.ts",
  "e2e/bounds.int.test.ts",
  "e2e/silent-redis.int.test.ts",
  "services/projector/rebuild-under-load.int.test.ts",
  "launcher/migrate/rights.int.test.ts",
  "packages/search/opensearch/lost-node.int.test.ts",
  "services/command-api/kernel/replaced-keys.int.test.ts",
  "e2e/hard-to-kill.e2e.test.ts",
  "e2e/launcher.e2e.test.ts",
  "e2e/console-colors.e2e.test.ts",
  "e2e/console-states.e2e.test.ts",
  "e2e/console-tables.e2e.test.ts",
  "e2e/site-accessibility.e2e.test.ts",
  "e2e/console-system.e2e.test.ts",
  "e2e/console-figures.e2e.test.ts",
  "e2e/console-notices.e2e.test.ts",
  "e2e/site-screens.e2e.test.ts",
  "e2e/console-templates.e2e.test.ts",
  "e2e/console-live.e2e.test.ts",
  "e2e/console-columns.e2e.test.ts",
  "e2e/evidence-publishing.e2e.test.ts",
  "e2e/console-settings.e2e.test.ts",
  "e2e/notifications.e2e.test.ts",
  "e2e/console.e2e.test.ts",
  "e2e/bench.e2e.test.ts",
  "e2e/queue.e2e.test.ts",
  "e2e/site-troubles.e2e.test.ts",
  "e2e/accounts.e2e.test.ts",
  "e2e/report-drafts.e2e.test.ts",
  "e2e/console-users.e2e.test.ts",
  "e2e/start-waits.e2e.test.ts",
  "e2e/evidence.e2e.test.ts",
];

/** Vitest's own order, except that the {@link LONG} files come first in a project. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const projects = Map.groupBy(sorted, ({ project }) => project.name);
    return [...projects.values()].flatMap((each) => each.toSorted((a, b) => rank(a) - rank(b)));
  }
}

/** Place among the long files; other files come after them. */
function rank({ moduleId }: TestSpecification): number {
  const place = LONG.findIndex((file) => moduleId.endsWith(`/${file}`));
  return place === -1 ? LONG.length : place;
}
