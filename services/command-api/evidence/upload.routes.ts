import type { FastifyRequest } from "fastify";
import { DomainError } from "#contracts/domain-error.ts";
import { DoneReply } from "#contracts/http/envelope.ts";
import { UploadReply } from "#contracts/http/evidence.ts";
import { UPLOAD_SECRET, UPLOAD_SECRET_SHAPE } from "#contracts/report/evidence-rules.ts";
import { ReportId, strict } from "#contracts/report/fields.ts";
import { UPLOAD_BOUNDS, UPLOAD_MS, UPLOADS } from "#http/bounds.ts";
import { done, succeed } from "#http/envelope.ts";
import { addressKey, wideAddressKey } from "#http/limits.ts";
import type { ServiceInstance } from "#http/service.ts";
import { addCommandRoutes, commandRoute } from "../kernel/command-route.ts";
import type { WriteSide } from "../write-side.ts";
import { announced, contentOf, takeFiles } from "./file-bodies.ts";

const ROLES = ["visitor", "user", "admin"] as const;
/** Milliseconds for an upload on a slow line, and for all that is done with it then. */
const HANDLED_MS = UPLOAD_MS + 30_000;

/** Files before the report that names them. */
export async function uploadRoutes(
  app: ServiceInstance,
  { evidence: { uploads }, requests, blind }: WriteSide,
): Promise<void> {
  addCommandRoutes(app, [
    commandRoute({
      method: "DELETE",
      url: "/prod/api/uploads/:id",
      roles: ROLES,
      limit: "upload",
      tag: "submitting",
      summary:
        "Remove an uploaded file that isn't attached to a report, with its secret in X-Upload-Secret",
      params: strict({ id: ReportId }),
      body: strict({}),
      reply: DoneReply,
      async run(request) {
        const { now } = requests.caller(request);
        await uploads.remove(request.params.id, secretOf(request), now);
        return done("File removed.");
      },
    }),
  ]);
  // A scope of its own: here alone a body is anything, and is read by the handler.
  await app.register(async (scope) => {
    takeFiles(scope, uploads.mostBytes);
    scope.route({
      method: "POST",
      url: UPLOADS,
      handlerTimeout: HANDLED_MS,
      config: { roles: [...ROLES], limit: "upload", bounds: UPLOAD_BOUNDS },
      schema: {
        tags: ["submitting"],
        summary:
          "Upload the file in the body before submitting its report; repeating the secret in X-Upload-Secret replaces an earlier attempt",
        consumes: ["application/octet-stream"],
        response: { 200: UploadReply },
      },
      handler: async (request) => {
        const upload = await uploads.receive({
          content: contentOf(request),
          bytes: announced(request),
          network: blind("upload_network", addressKey(request.ip)),
          wideNetwork: blind("upload_network", wideAddressKey(request.ip)),
          secret: chosenSecret(request),
          now: requests.caller(request).now,
        });
        return succeed(upload);
      },
    });
  });
}

/** @throws {DomainError} `invalid_request`: there is none, or it is no secret. */
function secretOf(request: FastifyRequest): string {
  const secret = chosenSecret(request);
  if (secret) return secret;
  const problem = "The secret of the upload is missing";
  throw new DomainError("invalid_request", `${problem}.`, { [UPLOAD_SECRET]: problem });
}

/**
 * The secret that the sender chose; undefined without one.
 * @throws {DomainError} `invalid_request`
 */
function chosenSecret({ headers }: FastifyRequest): string | undefined {
  const secret = headers[UPLOAD_SECRET];
  if (secret === undefined || secret === "") return undefined;
  if (typeof secret === "string" && UPLOAD_SECRET_SHAPE.test(secret)) return secret;
  const problem = "The secret of an upload has 43 letters, digits, - or _";
  throw new DomainError("invalid_request", `${problem}.`, { [UPLOAD_SECRET]: problem });
}
