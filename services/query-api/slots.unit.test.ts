import { describe, expect, it } from "vitest";
import { exportSlots } from "./list-exports/list-exports.routes.ts";
import { Slots } from "./slots.ts";

describe("the slots of a process", () => {
  it("are limited per account and in total, and freed once", () => {
    const slots = new Slots({
      ofAccount: 2,
      inAll: 3,
      accountError: (own) => new Error(`you have ${own}`),
      totalError: () => new Error("full"),
    });
    const free = slots.take("ann");
    slots.take("ann");
    expect(() => slots.take("ann")).toThrow("you have 2");
    slots.take("ben");
    expect(() => slots.take("cal")).toThrow("full");
    free();
    free();
    slots.take("ann");
    expect(() => slots.take("ann")).toThrow("you have 2");
    expect(() => slots.take("dan")).toThrow("full");
  });

  it("allow one export per account and three in total", () => {
    const slots = exportSlots();
    slots.take("ann");
    expect(() => slots.take("ann")).toThrow("You already have an export running");
    slots.take("ben");
    slots.take("cal");
    expect(() => slots.take("dan")).toThrow("Too many exports are running");
  });
});
