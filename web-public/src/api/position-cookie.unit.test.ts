import { describe, expect, it } from "vitest";
import { positionCookie, readPosition } from "./position-cookie.ts";

const POSITION = "0f9619ff-8b86-4d11-b42d-00c04fc964ff:00000000000000000042";

describe("the position of a visitor's last write", () => {
  it("is read from the cookie as it was written", () => {
    const [pair] = (positionCookie(POSITION, false) ?? "").split(";");
    expect(readPosition(`theme=dark; ${pair}; other=1`)).toBe(POSITION);
  });

  it("gets a Secure cookie only on an HTTPS page", () => {
    expect(positionCookie(POSITION, true)).toContain("; Secure");
    expect(positionCookie(POSITION, false)).not.toContain("Secure");
    expect(positionCookie(POSITION, true)).toContain("SameSite=Lax");
  });

  it.each([
    undefined,
    "",
    "registry-position=",
    "registry-position=%E0%A4%A",
    "x-registry-position=a",
  ])("is unknown if the cookies are %s", (cookies) => {
    expect(readPosition(cookies)).toBeUndefined();
  });

  it.each(["a\r\nx-evil: 1", "a b", "a;b", "", "x".repeat(201)])(
    "is neither written nor read if it is %j",
    (text) => {
      expect(positionCookie(text, false)).toBeUndefined();
      expect(readPosition(`registry-position=${encodeURIComponent(text)}`)).toBeUndefined();
    },
  );
});
