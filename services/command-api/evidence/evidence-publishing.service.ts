import { createHash, randomUUID } from "node:crypto";
import { DomainError } from "#contracts/domain-error.ts";
import type { ReportState } from "#contracts/events/report/report-fold.ts";
import { messages } from "#http/errors.ts";
import type { Dependencies } from "../dependencies.ts";
import type { CommandEnvelope } from "../kernel/envelope.ts";
import { Service } from "../kernel/service.ts";
import { reportAggregate } from "../report/report.aggregate.ts";
import type { PublishEvidence, StoredCopy } from "../report/report.commands.ts";
import { decideReport } from "../report/report.decider.ts";
import type { ReportOutcome } from "../report/report.service.ts";
import { refusalOfFile, UploadSlots, whole } from "./file-bodies.ts";

/** Maximum bytes of a copy: three per pixel of the largest one. */
const COPY_BYTES = 12_000_000;

type Deps = Pick<
  Dependencies,
  "handler" | "own" | "files" | "pictures" | "uploads" | "removal" | "onLate"
>;

/** Publishes copies of evidence. */
export class EvidencePublishingService extends Service<Deps> {
  readonly #receiving = new UploadSlots();

  /**
   * Publishes a picture as the copy of a file. The picture is decoded and re-encoded first.
   * @param sent.content the picture, already redacted.
   * @param sent.envelopeFor builds the envelope from what a retry must repeat.
   * @throws {DomainError} the decider's refusal; `file_refused`, `too_large`, `unavailable`.
   */
  async publish(
    reportId: string,
    command: PublishEvidence,
    sent: {
      readonly content: AsyncIterable<Uint8Array>;
      readonly network: string;
      readonly envelopeFor: (body: object) => CommandEnvelope;
    },
  ): Promise<ReportOutcome> {
    return this.#receiving.run({ network: sent.network }, async (read) => {
      const picture = await read(sent.content);
      const { fileId, kind, page = null, boxes } = command;
      const sha256 = createHash("sha256").update(picture).digest("hex");
      const envelope = sent.envelopeFor({ file_id: fileId, kind, page, boxes, sha256 });
      return this.#publish(reportId, command, picture, envelope);
    });
  }

  async #publish(
    reportId: string,
    command: PublishEvidence,
    picture: Buffer,
    envelope: CommandEnvelope,
  ): Promise<ReportOutcome> {
    const { handler, own } = this.deps;
    const { now } = envelope.caller;
    const id = randomUUID();
    let copy: StoredCopy | undefined;
    const report = {
      ...reportAggregate(reportId),
      prepare: async (
        state: ReportState | undefined,
        _: unknown,
        moment: { now: string; newId: string },
      ) => {
        await own.refuse(reportId, state, envelope.caller);
        // Decode and store only if the command is accepted.
        decideReport(state, command, moment);
        copy ??= await this.#store(id, reportId, picture, now);
        return { ...command, copy };
      },
    };
    let state: ReportState | undefined;
    try {
      const outcome = await handler.execute(report, command, envelope);
      state = outcome.state;
      return { ...outcome, state: outcome.state as ReportState };
    } catch (error) {
      throw refusalOfFile(error);
    } finally {
      // A concurrent or repeated command won, so this copy is unused.
      if (copy && !state?.copies.some(({ copy_id }) => copy_id === id)) await this.#remove(id, now);
    }
  }

  async #store(id: string, reportId: string, picture: Buffer, now: string): Promise<StoredCopy> {
    const { files, pictures, uploads } = this.deps;
    const { content, width, height } = await pictures.publishable(picture);
    const type = "image/webp";
    // Add the row first, so that the sweep finds what a killed process left behind.
    await uploads.addCopy({ id, reportId, bytes: content.length, now });
    try {
      const { bytes, sha256 } = await files.put(id, whole(content), COPY_BYTES);
      if (!(await uploads.complete(id, { type, bytes, sha256 })))
        throw new DomainError("unavailable", messages.unavailable);
      return { id, type, width, height, bytes, sha256 };
    } catch (error) {
      await this.#remove(id, now);
      throw error;
    }
  }

  async #remove(id: string, now: string): Promise<void> {
    await this.deps.removal.erase([id], now).catch(this.deps.onLate);
  }
}
