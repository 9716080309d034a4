import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { describeUserAgent, maskIp } from "./client-address.ts";

describe("maskIp", () => {
  it.each([
    ["203.0.113.9", "203.0.x.x"],
    ["::ffff:203.0.113.9", "203.0.x.x"],
    ["2001:db8:12:3456:789a:bcde:f012:3456", "2001:db8:12::/48"],
    ["::1", "::/48"],
    ["", "unknown"],
    ["dana@example.com", "unknown"],
  ])("masks %s as %s", (address, mask) => {
    expect(maskIp(address)).toBe(mask);
  });

  it("gives the same mask to addresses that differ only in the hidden part", () => {
    fc.assert(
      fc.property(fc.ipV4(), fc.nat(255), fc.nat(255), (address, c, d) => {
        const [a, b] = address.split(".");
        expect(maskIp(`${a}.${b}.${c}.${d}`)).toBe(maskIp(address));
      }),
    );
  });
});

describe("describeUserAgent", () => {
  it.each([
    ["Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0", "Firefox on Linux"],
    [
      "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1",
      "Safari on iOS",
    ],
    [
      "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36",
      "Chrome on Windows",
    ],
    ["curl/8.9.1", "Unknown browser"],
    ["Dana Ruiz/1.0 dana@example.com", "Unknown browser"],
    ["", "Unknown browser"],
  ])("reads %s as %s", (text, described) => {
    expect(describeUserAgent(text)).toBe(described);
  });

  it("repeats nothing from an unrecognized text", () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z]{8,12}$/), (word) => {
        expect(describeUserAgent(`Zq${word}/1.0`)).not.toContain(word);
      }),
    );
  });
});
