import { mkdtemp, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { startRegistry } from "../../e2e/support/registry.ts";
import { ADMIN, openSession } from "../../e2e/support/sessions.ts";
import { sendSampleCases } from "../pictures/sample-cases.ts";
import { publishSampleEvidence } from "../pictures/sample-evidence.ts";
import { openCardPayments, requestSampleBanners } from "../pictures/sample-payments.ts";
import { submitSampleReport } from "../pictures/sample-report.ts";
import { addSampleStaff } from "../pictures/sample-staff.ts";
import { addSampleTemplate } from "../pictures/sample-templates.ts";
import { publishSampleTexts } from "../pictures/sample-texts.ts";
import { logAsText } from "./log-text.ts";
import { actOfAccounts, actOfReports, actOfStaff, type Teller } from "./story-acts.ts";

/** Writes every event of a story that an own registry is told, with sealed parts opened. */
export async function writeStory(file: string): Promise<void> {
  const dataDir = await mkdtemp(path.join(os.tmpdir(), "registry-story-"));
  const cards = await openCardPayments();
  const env = {
    RATE_LIMIT: "off",
    ADMIN_EMAIL: ADMIN.email,
    ADMIN_PASSWORD: ADMIN.password,
    ...cards.env,
  };
  const registry = await startRegistry({ dataDir, env });
  const { url } = registry;
  try {
    const admin = await openSession(url, ADMIN);
    const owner = await openSession(url);
    const teller: Teller = { url, mailFolder: path.join(dataDir, "mail"), admin };
    await publishSampleTexts(url, admin.token);
    await addSampleTemplate(url, admin.token);
    const { plainReport } = await requestSampleBanners(url, cards, owner, admin);
    const { notice, inquiry } = await sendSampleCases(url, admin, plainReport);
    const { question } = await submitSampleReport(url, dataDir, owner, admin);
    const published = await publishSampleEvidence(url, admin.token);
    await addSampleStaff(url, dataDir, admin);
    await actOfReports(teller, { question, ...published });
    await actOfAccounts(teller);
    await actOfStaff(teller, { notice, inquiry });
    await writeFile(file, await logAsText(dataDir));
  } finally {
    await registry.stop();
    await cards.stop();
    await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
  }
}
