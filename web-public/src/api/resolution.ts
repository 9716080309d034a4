import type { NamedUpload } from "#contracts/http/evidence.ts";
import type { OwnResolution } from "#contracts/http/resolution.ts";
import { type ApiClient, ApiError, type CommandReply } from "./client.ts";

const path = (reportId: string) =>
  `/api/account/reports/${encodeURIComponent(reportId)}/resolution`;

/**
 * POST /api/account/reports/{id}/resolution: asks for the RESOLVED banner.
 * @param terms the version that the owner agrees to; a refusal for former ones names `terms_accepted`.
 * @param key the same for each attempt to send the same letter.
 */
export async function requestResolution(
  api: ApiClient,
  reportId: string,
  letter: NamedUpload,
  terms: string,
  key: string,
): Promise<OwnResolution> {
  const body = { letter, terms_version: terms };
  return resolutionOf(await api.post(path(reportId), { body, idempotencyKey: key }));
}

/** DELETE /api/account/reports/{id}/resolution: takes the request back before it is paid. */
export async function withdrawResolution(
  api: ApiClient,
  reportId: string,
  requestId: string,
): Promise<OwnResolution> {
  return resolutionOf(await api.delete(path(reportId), { body: { request_id: requestId } }));
}

/**
 * POST /api/account/reports/{id}/resolution/checkout: the page on which the fee is paid by card.
 * @returns its address, on the payment service's site.
 */
export async function openCheckout(
  api: ApiClient,
  reportId: string,
  requestId: string,
): Promise<string> {
  const sent = await api.post<{ url: string }>(`${path(reportId)}/checkout`, {
    body: { request_id: requestId },
  });
  if (!sent.data) throw new ApiError(0, { code: "garbled" });
  return sent.data.url;
}

/** POST /api/account/reports/{id}/resolution/state: where the request stands now. */
export async function readResolution(
  api: ApiClient,
  reportId: string,
): Promise<OwnResolution | undefined> {
  const sent = await api.post<{ resolution: OwnResolution | null }>(`${path(reportId)}/state`, {
    body: {},
  });
  return sent.data?.resolution ?? undefined;
}

function resolutionOf({ data }: CommandReply<{ resolution: OwnResolution }>): OwnResolution {
  if (!data) throw new ApiError(0, { code: "garbled" });
  return data.resolution;
}
