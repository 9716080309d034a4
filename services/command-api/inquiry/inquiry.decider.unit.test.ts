import { it } from "vitest";
import { evolveInquiry } from "#contracts/events/inquiry/inquiry-fold.ts";
import { givenFor } from "#test-kit/decider.ts";
import { decideInquiry } from "./inquiry.decider.ts";

const inquiries = givenFor({
  decide: decideInquiry("inquiry"),
  evolve: evolveInquiry,
  moment: undefined,
});
const notices = givenFor({
  decide: decideInquiry("notice"),
  evolve: evolveInquiry,
  moment: undefined,
});

const answers = { name: "Ann Lee", email: "ann@acme.example", useCase: "Checking orders" };
const sender = {
  name: "Ann Lee",
  email: "ann@acme.example",
  answers: [{ field: "useCase", text: "Checking orders" }],
};
const received = { type: "InquiryReceived", data: { kind: "enterprise", sender } } as const;

it("keeps what was sent, with each answer under the name of its question", () => {
  inquiries().when({ type: "SendInquiry", kind: "enterprise", answers }).gives(received);
  notices()
    .when({ type: "SendInquiry", kind: "takedown", answers })
    .gives({ type: "NoticeReceived", data: { kind: "takedown", sender } });
});

it("is taken once", () => {
  inquiries(received).when({ type: "SendInquiry", kind: "enterprise", answers }).gives();
});

it("erases what is there, once", () => {
  const erase = { type: "EraseInquiry", by: "retention" } as const;
  const erased = { type: "InquiryErased", data: { by: "retention" } } as const;
  inquiries(received).when(erase).gives(erased);
  inquiries(received, erased).when(erase).gives();
  inquiries().when(erase).gives();
});

it("notes that it was read, while there is something to read", () => {
  const view = { type: "ViewInquiry" } as const;
  inquiries(received).when(view).gives({ type: "InquiryViewed", data: {} });
  const erased = { type: "InquiryErased", data: { by: "operator" } } as const;
  inquiries(received, erased).when(view).gives();
  inquiries().when(view).gives();
});

it("names the document that came along, and notes each look at it while it is there", () => {
  const document = {
    name: "order.pdf",
    type: "application/pdf",
    bytes: 512,
    sha256: "a".repeat(64),
  } as const;
  const send = { type: "SendInquiry", kind: "law_enforcement", answers, document } as const;
  const data = { kind: "law_enforcement", sender: { ...sender, document } };
  inquiries().when(send).gives({ type: "InquiryReceived", data });
  const view = { type: "ViewInquiryDocument" } as const;
  const viewed = { type: "InquiryDocumentViewed", data: {} } as const;
  const erased = { type: "InquiryErased", data: { by: "operator" } } as const;
  inquiries({ type: "InquiryReceived", data }, viewed).when(view).gives(viewed);
  inquiries({ type: "InquiryReceived", data }, erased).when(view).gives();
  inquiries(received).when(view).gives();
  inquiries().when(view).gives();
});
