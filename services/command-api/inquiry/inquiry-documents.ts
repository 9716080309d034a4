import { createHash } from "node:crypto";
import type { Readable } from "node:stream";
import { DomainError } from "#contracts/domain-error.ts";
import { streams } from "#contracts/events/index.ts";
import type { InquiryDocument } from "#contracts/events/inquiry/inquiry-events.ts";
import { evolveInquiry, type InquiryState } from "#contracts/events/inquiry/inquiry-fold.ts";
import type { NamedUpload } from "#contracts/http/evidence.ts";
import { ATTACHMENT } from "#contracts/inquiry/inquiry-forms.ts";
import { subjects } from "#contracts/sealed.ts";
import { FileExists } from "#files/port.ts";
import { messages } from "#http/errors.ts";
import type { Dependencies } from "../dependencies.ts";
import type { UploadClaims } from "../evidence/upload.store.ts";
import { ownSubject } from "../kernel/envelope.ts";
import type { Aggregate } from "../kernel/handler.ts";
import { Service } from "../kernel/service.ts";
import {
  decideInquiry,
  type InquiryCommand,
  type PreparedInquiryCommand,
} from "./inquiry.decider.ts";
import type { KnownInquiry } from "./inquiry.service.ts";

type Deps = Pick<Dependencies, "files" | "removal"> & {
  readonly claims: Pick<UploadClaims, "claim">;
};

/** Files of inquiries, copied under the inquiry's ID and key so that both are erased together. */
export class InquiryDocuments extends Service<Deps> {
  /**
   * Attaches an upload to the inquiry; idempotent. The upload stays until {@link drop}; if that never happens,
   * the daily sweep removes it.
   * @throws {DomainError} `invalid_request` for an unknown ID or a wrong secret; `upload_used`;
   *   `idempotency_key_reused` if another file was sent under the same key.
   */
  async take(inquiryId: string, upload: NamedUpload, now: string): Promise<InquiryDocument> {
    const { files, claims } = this.deps;
    const [file] = await claims.claim(inquiryId, [upload], now).catch((error: unknown) => {
      throw aboutAttachment(error);
    });
    if (!file) throw new Error("a claim without a file");
    const { id, ...document } = file;
    const found = await files.get(id);
    if (found.state !== "present") throw new DomainError("unavailable", messages.unavailable);
    const subject = subjects.inquiry(inquiryId);
    try {
      await files.put(inquiryId, found.content, document.bytes, subject);
    } catch (error) {
      found.content.destroy();
      // A previous attempt already stored it.
      if (!(error instanceof FileExists)) throw error;
      const stored = await this.open(inquiryId);
      if (!stored || (await hashOf(stored)) !== document.sha256)
        throw new DomainError(
          "idempotency_key_reused",
          "This Idempotency-Key was used with another file. Send a new key for a new request.",
        );
    }
    return document;
  }

  /** Removes the original upload. */
  async drop(uploadId: string, now: string): Promise<void> {
    await this.deps.removal.erase([uploadId], now);
  }

  /** Opens the inquiry's file, to be read to its end; undefined if there is none or it was erased. */
  async open(inquiryId: string): Promise<Readable | undefined> {
    const found = await this.deps.files.get(inquiryId, undefined, subjects.inquiry(inquiryId));
    return found.state === "present" ? found.content : undefined;
  }

  /** Destroys the inquiry's key and removes its file. */
  async erase(inquiryId: string, now: string): Promise<void> {
    await this.deps.files.erase([inquiryId], now, subjects.inquiry);
  }
}

async function hashOf(content: Readable): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of content) hash.update(chunk);
  return hash.digest("hex");
}

/** Reports a refused claim under the form's own field. */
function aboutAttachment(error: unknown): unknown {
  if (!(error instanceof DomainError) || !error.fields) return error;
  return new DomainError(error.code, error.message, { [ATTACHMENT]: error.message });
}

/** Stream, key, fold and decider of one inquiry or notice. @param documents required if a file may be attached. */
export function inquiryAggregate(
  { id, family }: KnownInquiry,
  documents?: Pick<InquiryDocuments, "take">,
): Aggregate<InquiryState, InquiryCommand, PreparedInquiryCommand> {
  const sender = subjects.inquiry(id);
  return {
    stream: streams[family](id),
    subjects: { sender, note: sender, decision: sender },
    bodySubjects: [sender],
    clientSubject: (caller) => ownSubject(caller) ?? sender,
    newSubjects: () => [{ subject: sender }],
    evolve: evolveInquiry,
    async prepare(state, command, { now }) {
      const upload = command.type === "SendInquiry" ? command.upload : undefined;
      if (!upload || state || !documents) return command;
      return { ...command, document: await documents.take(id, upload, now) };
    },
    decide: decideInquiry(family),
  };
}
