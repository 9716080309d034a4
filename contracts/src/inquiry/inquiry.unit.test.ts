import { expect, it } from "vitest";
import { AGREED, caseNumber, digitsOfCase, inquiryProblems, tidyInquiry } from "./inquiry-forms.ts";

const contact = {
  company: "Acme",
  name: "Ann Lee",
  email: "ann@acme.example",
  useCase: "Checking orders",
};

it("accepts answers to every required question", () => {
  expect(inquiryProblems("enterprise", contact)).toEqual({});
  expect(inquiryProblems("enterprise", { ...contact, plan: "enterprise_plus" })).toEqual({});
});

it("reports answers that are missing, too long, not an address or not a choice", () => {
  const wrong = { ...contact, company: "", email: "ann@", plan: "free", useCase: "x".repeat(2001) };
  expect(inquiryProblems("enterprise", tidyInquiry(wrong))).toEqual({
    company: "Company is a required field",
    email: "Please enter a valid email",
    plan: "Plan isn't one of the choices",
    useCase: "Use case must have at most 2000 characters",
  });
});

it("accepts a notice only with its statements", () => {
  const missing = inquiryProblems("takedown", { good_faith: AGREED, accuracy: "no" });
  expect(missing).not.toHaveProperty("good_faith");
  expect(missing.accuracy).toBe("Please confirm this statement");
});

it("trims the answers", () => {
  expect(tidyInquiry({ company: " Acme ", phone: "  " })).toEqual({ company: "Acme" });
});

it("numbers a case so that its ID can be found by the number", () => {
  const id = "7f3a9c21-b0d4-4c6e-8f00-000000000000";
  expect(caseNumber("takedown", id)).toBe("N-7F3A9-C21B0");
  expect(digitsOfCase(" n-7f3a9-c21b0 ")).toBe("7f3a9c21b0");
  expect(digitsOfCase("7f3a9c21b0")).toBeUndefined();
});
