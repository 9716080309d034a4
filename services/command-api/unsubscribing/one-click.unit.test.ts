import { expect, it } from "vitest";
import { readOneClick } from "./unsubscribe.routes.ts";

const part = (name: string, value: string) =>
  `--b1\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n--b1--\r\n`;

it.each([
  ["List-Unsubscribe=One-Click"],
  ["a=b&List-Unsubscribe=One-Click"],
  [part("List-Unsubscribe", "One-Click")],
  [
    part("List-Unsubscribe", "One-Click").replace(
      "\r\n\r\n",
      "\r\nContent-Type: text/plain\r\n\r\n",
    ),
  ],
])("the form of RFC 8058 unsubscribes: %s", (body) => {
  expect(readOneClick(body)).toEqual({ wanted: false });
});

it.each([
  [""],
  ["List-Unsubscribe=Two-Clicks"],
  ["wanted=true"],
  ["List-Unsubscribe"],
  [part("List-Unsubscribe", "No")],
  [part("Other", "One-Click")],
])("any other form is ignored: %s", (body) => {
  expect(readOneClick(body)).toEqual({});
});
