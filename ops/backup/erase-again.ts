import { DomainError } from "#contracts/domain-error.ts";
import { streams } from "#contracts/events/index.ts";
import { ACCOUNT_ENDS } from "#contracts/events/user/account-state.ts";
import { subjects } from "#contracts/sealed.ts";
import type { CommandApi } from "#services/command-api/composition.ts";
import { type Caller, newEnvelope, systemCaller } from "#services/command-api/kernel/envelope.ts";
import type { Hiding } from "#vault/erasures/erasure-ledger.ts";

type Api = Pick<
  CommandApi,
  "reports" | "accountEraser" | "closing" | "inquiries" | "keys" | "store"
>;

/** Refusals because the restored log lacks the subject, or has it as erased. */
const GONE = ["report_not_found", "report_deleted", "account_not_found"];

/**
 * Records in a restored log the erasures of everyone whose keys the ledger lists: the log may be older
 * than the erasure, and the account could still sign in. Idempotent.
 * @param destroyed subjects in the ledger, whose keys are already destroyed.
 */
export async function eraseAgain(api: Api, destroyed: ReadonlySet<string>): Promise<void> {
  const caller = systemCaller(new Date().toISOString());
  for (const subject of destroyed)
    try {
      await eraseOne(api, subject, destroyed, caller);
    } catch (error) {
      if (!(error instanceof DomainError && GONE.includes(error.code))) throw error;
    }
}

/**
 * Hides reports and closes accounts again that were deleted since the backup, and reopens those whose
 * deletion was undone since. Idempotent. Call it after {@link eraseAgain}.
 * @param hidings the last hiding of each, by its stream.
 */
export async function hideAgain(
  { reports, closing }: Pick<Api, "reports" | "closing">,
  hidings: ReadonlyMap<string, Hiding>,
): Promise<void> {
  const caller = systemCaller(new Date().toISOString());
  for (const [stream, hiding] of hidings) {
    const [, family, id = ""] = /^([a-z]+)-(.+)$/.exec(stream) ?? [];
    if (family === "report") await hideReport(reports, id, hiding, caller);
    else await closing.restore(id, hiding, caller);
  }
}

async function hideReport(
  reports: Api["reports"],
  id: string,
  { erase_at }: Hiding,
  caller: Caller,
): Promise<void> {
  const report = await reports.load(id);
  if (!report || report.erased || (report.deletion?.erase_at ?? null) === erase_at) return;
  // Even if it was shown and deleted again since, it is erased at the time of the last deletion.
  if (report.deletion)
    await reports.execute(id, { type: "UndoDeletion", body: {} }, newEnvelope(caller));
  if (erase_at !== null)
    await reports.execute(id, { type: "HideReport", eraseAt: erase_at }, newEnvelope(caller));
}

async function eraseOne(
  api: Api,
  subject: string,
  destroyed: ReadonlySet<string>,
  caller: Caller,
): Promise<void> {
  const [, kind = "", id = ""] = /^([a-z]+)-(.+)$/.exec(subject) ?? [];
  if (kind === "personal") {
    const command = { type: "EraseReport", reasonCode: "other" } as const;
    await api.reports.execute(id, command, newEnvelope(caller));
  } else if (kind === "reporter" && !destroyed.has(subjects.personal(id)))
    await api.reports.execute(id, { type: "EraseReporter" }, newEnvelope(caller));
  else if (kind === "inquiry") await api.inquiries.eraseById(id, caller);
  else if (kind === "account") await eraseAccount(api, id, destroyed, caller);
}

async function eraseAccount(
  { accountEraser, keys, store }: Api,
  id: string,
  destroyed: ReadonlySet<string>,
  caller: Caller,
): Promise<void> {
  for await (const { type } of store.readStream(streams.user(id)))
    if (ACCOUNT_ENDS.includes(type)) return;
  // If the account was never confirmed, the reporters of its reports were not erased.
  const kept = (await keys.ownedBy(id)).filter((subject) => !destroyed.has(subject));
  if (kept.length > 0) await keys.disown(id, kept);
  await accountEraser.erase(id, caller);
}
