import type { Static, TSchema } from "typebox";
import {
  ADMIN_NOTICE,
  AddNoticeNote,
  DeleteNotice,
  LiftNotice,
  LinkNotice,
  NoticeStateReply,
  PassOnCounterNotice,
  RefuseNotice,
  RestoreNotice,
  RevealNoticeReply,
  TakeDownNotice,
} from "#contracts/http/admin-notices.ts";
import { ReportId, strict } from "#contracts/report/fields.ts";
import { succeed } from "#http/envelope.ts";
import type { ServiceInstance } from "#http/service.ts";
import { addCommandRoutes, type CommandRoute, commandRoute } from "../kernel/command-route.ts";
import type { CommandEnvelope } from "../kernel/envelope.ts";
import type { WriteSide } from "../write-side.ts";
import { trimText } from "./inquiry-desk.routes.ts";
import type { NoticeStanding } from "./notice-desk.service.ts";

const Id = strict({ id: ReportId });
const staff = { method: "POST", roles: ["admin"], tag: "notices", params: Id } as const;

/** What admins do about DMCA notices and counter-notices. */
export function noticeDeskRoutes(
  app: ServiceInstance,
  { noticeDesk: desk, requests }: WriteSide,
): void {
  /** A route of one decision. */
  const decision = <B extends TSchema>(row: {
    readonly path: string;
    readonly summary: string;
    readonly body: B;
    readonly message: string;
    run(id: string, body: Static<B>, envelope: CommandEnvelope): Promise<NoticeStanding>;
  }): CommandRoute =>
    commandRoute({
      ...staff,
      url: `${ADMIN_NOTICE}/${row.path}`,
      limit: "write",
      summary: row.summary,
      body: row.body,
      reply: NoticeStateReply,
      async run(request, response) {
        const { id } = request.params;
        const body = request.body as Static<B>;
        const envelope = requests.envelope(request, id, body as object);
        const { position, ...standing } = await row.run(id, body, envelope);
        requests.position(response, position);
        return succeed(standing, { message: row.message });
      },
    });
  addCommandRoutes(app, [
    decision({
      path: "link",
      summary: "Link a notice to a report, or to a published picture of one",
      body: LinkNotice,
      message: "Linked",
      run: (id, body, envelope) => desk.link(id, body, envelope),
    }),
    decision({
      path: "unlink",
      summary: "Remove a link of a notice",
      body: LinkNotice,
      message: "Link taken away",
      run: (id, body, envelope) => desk.unlink(id, body, envelope),
    }),
    decision({
      path: "refuse",
      summary: "Refuse a notice or a counter-notice; emails its sender the reason",
      body: RefuseNotice,
      message: "Refused",
      run: (id, body, envelope) => desk.refuse(id, body, envelope),
    }),
    decision({
      path: "take-down",
      summary: "Take down what a notice is linked to: puts reports under review and hides pictures",
      body: TakeDownNotice,
      message: "Taken down",
      run: (id, body, envelope) => desk.takeDown(id, body, envelope),
    }),
    decision({
      path: "lift",
      summary: "Restore what a notice took down, without a counter-notice",
      body: LiftNotice,
      message: "Put back",
      run: (id, body, envelope) => desk.lift(id, body, envelope),
    }),
    decision({
      path: "pass-on",
      summary: "Forward a counter-notice to the sender of the notice",
      body: PassOnCounterNotice,
      message: "Passed on",
      run: (id, body, envelope) => desk.passOn(id, body, envelope),
    }),
    decision({
      path: "restore",
      summary: "Restore the material of a counter-notice after the waiting period",
      body: RestoreNotice,
      message: "Put back",
      run: (id, body, envelope) => desk.restore(id, body, envelope),
    }),
    {
      ...decision({
        path: "notes",
        summary: "Add an encrypted note to a notice",
        body: AddNoticeNote,
        message: "Note added",
        run: (id, { text }, envelope) => desk.addNote(id, text, envelope),
      }),
      tidy: [trimText],
    },
    {
      ...decision({
        path: "delete",
        summary: "Erase the data and notes of a closed notice",
        body: DeleteNotice,
        message: "Notice deleted",
        run: (id, body, envelope) => desk.delete(id, body, envelope),
      }),
      proof: true,
    },
    commandRoute({
      ...staff,
      url: `${ADMIN_NOTICE}/reveal`,
      limit: "reveal",
      proof: true,
      summary: "Open the data of a notice; logged first",
      body: strict({}),
      reply: RevealNoticeReply,
      async run(request, response) {
        const caller = requests.caller(request);
        const { answers, position } = await desk.reveal(request.params.id, caller);
        requests.position(response, position);
        return succeed(answers);
      },
    }),
  ]);
}
