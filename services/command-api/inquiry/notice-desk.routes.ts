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
      summary: "Take a link of a notice away",
      body: LinkNotice,
      message: "Link taken away",
      run: (id, body, envelope) => desk.unlink(id, body, envelope),
    }),
    decision({
      path: "refuse",
      summary: "Refuse a notice or a counter-notice; its sender is told the reason's fixed words",
      body: RefuseNotice,
      message: "Refused",
      run: (id, body, envelope) => desk.refuse(id, body, envelope),
    }),
    decision({
      path: "take-down",
      summary:
        "Take down what a notice is linked to: reports are set under review, pictures are hidden",
      body: TakeDownNotice,
      message: "Taken down",
      run: (id, body, envelope) => desk.takeDown(id, body, envelope),
    }),
    decision({
      path: "lift",
      summary: "Put back what a notice took down, without a counter-notice",
      body: LiftNotice,
      message: "Put back",
      run: (id, body, envelope) => desk.lift(id, body, envelope),
    }),
    decision({
      path: "pass-on",
      summary: "Pass a counter-notice on: the sender of the notice is told",
      body: PassOnCounterNotice,
      message: "Passed on",
      run: (id, body, envelope) => desk.passOn(id, body, envelope),
    }),
    decision({
      path: "restore",
      summary: "Put back what a counter-notice is about, once its time is over",
      body: RestoreNotice,
      message: "Put back",
      run: (id, body, envelope) => desk.restore(id, body, envelope),
    }),
    {
      ...decision({
        path: "notes",
        summary: "Add a note to a notice, sealed under the notice's key",
        body: AddNoticeNote,
        message: "Note added",
        run: (id, { text }, envelope) => desk.addNote(id, text, envelope),
      }),
      tidy: [trimText],
    },
    {
      ...decision({
        path: "delete",
        summary: "Erase what was sent with a notice that has ended, and what was noted about it",
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
      summary: "Open what was sent with a notice; the look is written into the log first",
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
