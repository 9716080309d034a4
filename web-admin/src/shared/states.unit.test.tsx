import type { ReactElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { MemoryRouter } from "react-router-dom";
import { describe, expect, it } from "vitest";
import { ApiError } from "../data/api-error.ts";
import { Loaded, Read } from "./states.tsx";

/** The content on the screen after a refetch has failed, next to any error message. */
const shown = (element: ReactElement) =>
  renderToStaticMarkup(<MemoryRouter>{element}</MemoryRouter>).includes("Quinn Ames");

const after = (status: number) => ({
  data: { id: 1, name: "Quinn Ames" },
  error: new ApiError(status, "Refused"),
  refetch: () => undefined,
});
const page = (status: number) => (
  <Loaded query={after(status)} what="user" absence="It is gone." list="/users" all="All users">
    {({ name }) => name}
  </Loaded>
);
const part = (status: number) => (
  <Read query={after(status)} what="the history">
    {({ name }) => name}
  </Read>
);

describe("what a screen shows after a refetch fails", () => {
  it.each([400, 401, 403, 404, 410])("is taken away if the server refuses it with %i", (status) => {
    expect(shown(page(status))).toBe(false);
    expect(shown(part(status))).toBe(false);
  });

  it.each([0, 429, 500, 503])("stays if the server is unavailable: %i", (status) => {
    expect(shown(page(status))).toBe(true);
    expect(shown(part(status))).toBe(true);
  });
});
