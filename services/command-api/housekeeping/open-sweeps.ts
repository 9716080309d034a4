import type { Pool } from "pg";
import type { Logger } from "pino";
import type { Settings } from "#contracts/settings/settings-at.ts";
import type { AccountEraser } from "../account/account.eraser.ts";
import type { StandingService } from "../account/standing.service.ts";
import type { UploadRemoval } from "../evidence/upload-removal.ts";
import type { AccountStreams } from "../export/account-streams.ts";
import type { InquiryService } from "../inquiry/inquiry.service.ts";
import type { CommandHandler } from "../kernel/handler.ts";
import type { HidingRecord } from "../report/hiding-record.ts";
import type { ReportService } from "../report/report.service.ts";
import type { ObservedCalls } from "../security/observed-calls.ts";
import { ErasureFollower } from "./erasure-follower.ts";
import type { HousekeepingDeps } from "./housekeeping.ts";
import { ReportExpiry } from "./report-expiry.ts";
import { SubmissionLooks } from "./submission-looks.ts";
import { createSweeps } from "./sweeps.ts";

type Opened = "erasures" | "expiry" | "looks";

interface Deps extends Omit<HousekeepingDeps, Opened> {
  readonly pool: Pool;
  readonly epoch: string;
  readonly handler: CommandHandler;
  readonly reports: ReportService;
  readonly accountEraser: AccountEraser;
  readonly standings: StandingService;
  readonly inquiries: InquiryService;
  readonly removal: UploadRemoval;
  readonly hidings: HidingRecord;
  readonly accountStreams: AccountStreams;
  readonly observed: ObservedCalls;
  /** The settings as the log has them. */
  readonly settings: () => Promise<Settings>;
}

/** The hourly housekeeping, with those that only it runs: they follow the log, each from where it was. */
export function openSweeps(deps: Deps, log: Pick<Logger, "warn">) {
  return createSweeps(
    {
      ...deps,
      erasures: new ErasureFollower({ ...deps, eraser: deps.accountEraser }),
      expiry: new ReportExpiry(deps),
      looks: new SubmissionLooks(deps),
    },
    log,
  );
}
