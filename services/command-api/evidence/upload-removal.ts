import { streams } from "#contracts/events/index.ts";
import { CROWDED_UPLOAD_HOURS, RETENTION_DAYS } from "#contracts/retention.ts";
import type { EventStore } from "#event-store/port.ts";
import type { SealedFiles } from "#files/sealed-files.ts";
import { Service } from "../kernel/service.ts";
import type { UploadStore } from "./upload.store.ts";

const HOUR_MS = 3_600_000;
const UNNAMED_MS = RETENTION_DAYS.upload * 24 * HOUR_MS;

interface Deps {
  readonly uploads: UploadStore;
  readonly files: Pick<SealedFiles, "erase">;
  readonly store: Pick<EventStore, "readStream">;
}

/** Removes files: keys, then bytes, then rows. The next sweep finishes what a killed process started. */
export class UploadRemoval extends Service<Deps> {
  /** Erases files that events report as erased, including those without a row here. */
  async erase(ids: readonly string[], now: string): Promise<void> {
    if (ids.length === 0) return;
    await this.deps.uploads.remove(ids, now);
    await this.finish(ids, now);
  }

  /** Erases every file of deleted reports. */
  async eraseOf(reports: readonly string[], now: string): Promise<void> {
    if (reports.length === 0) return;
    await this.deps.uploads.removeOf(reports, now);
    await this.#finishAll(now);
  }

  /** Completes removals that have begun. */
  async finish(ids: readonly string[], now: string): Promise<void> {
    await this.deps.files.erase(ids, now);
    await this.deps.uploads.forget(ids);
  }

  /** Removes files unattached for a day (two hours once half full), and incomplete or unclaimed ones. */
  async sweep(nowMs: number): Promise<void> {
    const { uploads } = this.deps;
    const now = new Date(nowMs).toISOString();
    const yesterday = new Date(nowMs - UNNAMED_MS);
    const unnamed = (await uploads.isHalfFull())
      ? new Date(nowMs - CROWDED_UPLOAD_HOURS * HOUR_MS)
      : yesterday;
    await uploads.removeStale({ unnamed, partial: new Date(nowMs - HOUR_MS) }, now);
    for (;;) {
      const claims = await uploads.claimsBefore(yesterday);
      for (const { reportId, ids } of claims) {
        const named = await this.#namedBy(reportId);
        await uploads.setNamed(ids.filter((id) => named.has(id)));
        await uploads.remove(
          ids.filter((id) => !named.has(id)),
          now,
        );
      }
      if (claims.length === 0) break;
    }
    await this.#finishAll(now);
  }

  async #finishAll(now: string): Promise<void> {
    for (;;) {
      const ids = await this.deps.uploads.beingRemoved();
      if (ids.length === 0) return;
      await this.finish(ids, now);
    }
  }

  async #namedBy(reportId: string): Promise<ReadonlySet<string>> {
    const named = new Set<string>();
    for await (const { type, data } of this.deps.store.readStream(streams.report(reportId), 0))
      if (type === "EvidenceAdded") named.add((data as { file_id: string }).file_id);
      else if (type === "EvidencePublished") named.add((data as { copy_id: string }).copy_id);
    return named;
  }
}
