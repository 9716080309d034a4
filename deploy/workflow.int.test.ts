import { existsSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { compose, read, root, scripts } from "./testing/compose.ts";

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly if?: string;
  readonly with?: Readonly<Record<string, unknown>>;
}

interface Job {
  readonly steps: readonly Step[];
  readonly strategy?: { readonly matrix?: Readonly<Record<string, readonly string[]>> };
}

const workflow = parse(await read(".github/workflows/ci.yml")) as {
  readonly jobs: Readonly<Record<string, Job>>;
};
const steps = Object.values(workflow.jobs).flatMap((job) => job.steps);
const commands = steps.flatMap(({ run }) => run?.trim().split("\n") ?? []);
const stepsOf = (job: string) => workflow.jobs[job]?.steps ?? [];

/** The steps each job needs, in this order. No other test notices a missing step. */
const needed: Readonly<Record<string, readonly RegExp[]>> = {
  test: [/\/checkout@/, /\/setup-node@/, /\/setup-java@/, /^\.ci\/run always$/],
  bare: [/\/checkout@/, /^chown /, /^su .* npm test"$/],
  containers: [
    /\/checkout@/,
    /\/setup-node@/,
    /^npm ci /,
    /^docker compose pull eventstoredb opensearch redis$/,
    / e2e\/containers\.resilience\.test\.ts$/,
  ],
  dependencies: [/\/checkout@/, /\/setup-node@/, /^npm audit /, /^npm sbom /, /\/upload-artifact@/],
  images: [/\/trivy-action@/],
  image: [
    /\/checkout@/,
    /^docker build /,
    /^test .* id -u\)" != 0$/,
    /\/trivy-action@/,
    /^docker compose config --quiet$/,
    /^docker compose .*docker-compose\.cluster\.yml config --quiet$/,
    / deploy\/compose-secrets\.ts$/,
    /^docker compose up .*--wait /,
    /^curl --fail .*\/readyz$/,
    /^curl --fail .*\/search\?q=/,
    / ops\/audit-verify\.ts$/,
    /^docker compose ps .*docker compose logs /,
  ],
};

describe("the workflow of continuous integration", () => {
  it("runs only scripts that exist", () => {
    const found = (pattern: RegExp) =>
      commands.flatMap((command) => [...command.matchAll(pattern)].map(([, name = ""]) => name));
    const names = found(/\bnpm run (\S+)/g);
    const files = found(/(?:\bnode |^|--project \w+ )(\.?[\w-]+\/[\w./-]+)/g);
    const containers = found(/\bdocker compose run --rm (\S+)/g);
    const pulled = found(/\bdocker compose pull (.+)/g).flatMap((list) => list.split(" "));
    for (const list of [files, containers, pulled]) expect(list).not.toHaveLength(0);
    for (const name of names) expect(scripts).toHaveProperty([name]);
    for (const file of files) expect(existsSync(path.join(root, file)), file).toBe(true);
    for (const name of [...containers, ...pulled]) expect(compose.services).toHaveProperty(name);
  });

  it.each(Object.keys(workflow.jobs))(
    "runs every step of the job %s, and ignores no failure",
    (job) => {
      const taken = stepsOf(job).map(({ run, uses }) => run?.trim() ?? uses);
      expect(taken).toEqual(needed[job]?.map((step) => expect.stringMatching(step)));
      expect(workflow.jobs[job]).not.toHaveProperty("if");
      for (const step of [workflow.jobs[job], ...stepsOf(job)])
        expect(step).not.toHaveProperty("continue-on-error");
      for (const { if: when } of stepsOf(job))
        expect([undefined, "always()", "failure()"]).toContain(when);
      for (const { run = "" } of stepsOf(job)) expect(run).not.toMatch(/\|\|/);
    },
  );

  it("has every job", () => {
    expect(Object.keys(workflow.jobs).toSorted()).toEqual(Object.keys(needed).toSorted());
  });

  it("pins GitHub's own actions by version, and others by commit", () => {
    const used = steps.flatMap(({ uses }) => uses ?? []);
    expect(used).not.toHaveLength(0);
    for (const action of used) expect(action).toMatch(/^actions\/[\w-]+@v\d+$|@[0-9a-f]{40}$/);
  });

  it("fails on a known vulnerability in shipped packages, and keeps a bill of materials", () => {
    const [audit] = stepsOf("dependencies").filter(({ run }) => /^npm audit\b/.test(run ?? ""));
    expect(audit?.run).toBe("npm audit --omit=dev --audit-level=high");
    const bom = stepsOf("dependencies").find(({ run }) => /^npm sbom\b/.test(run ?? ""));
    expect(bom?.run).toMatch(/ --omit=dev .*--sbom-format cyclonedx/);
    const kept = stepsOf("dependencies").find(({ uses }) => /upload-artifact/.test(uses ?? ""));
    expect(bom?.run).toContain(` > ${kept?.with?.path}`);
    // The list is needed most when the audit fails.
    expect([bom?.if, kept?.if]).toEqual(["always()", "always()"]);
  });

  it("scans the built image and fails on findings", () => {
    const image = stepsOf("image");
    const built = image.find(({ run }) => /^docker build /.test(run ?? ""));
    const scan = image.find(({ uses }) => /\/trivy-action@/.test(uses ?? ""))?.with;
    expect(built?.run).toContain(`--tag ${scan?.["image-ref"]} `);
    expect(scan).toMatchObject({
      version: expect.stringMatching(/^v\d/),
      scanners: "vuln",
      severity: "HIGH,CRITICAL",
      "exit-code": "1",
    });
  });

  it("scans every image in the compose file like the built one", () => {
    const pulled = Object.values(compose.services).flatMap(({ image, build }) =>
      image && build === undefined && !image.startsWith("chargeback-registry") ? image : [],
    );
    const scanned = workflow.jobs.images?.strategy?.matrix?.image ?? [];
    expect(scanned.toSorted()).toEqual([...new Set(pulled)].toSorted());
    const [scan] = stepsOf("images");
    const built = stepsOf("image").find(({ uses }) => /\/trivy-action@/.test(uses ?? ""));
    // biome-ignore lint/suspicious/noTemplateCurlyInString: as the workflow has it
    expect(scan?.with).toEqual({ ...built?.with, "image-ref": "${{ matrix.image }}" });
    expect(scan?.uses).toBe(built?.uses);
  });
});
