import { describe, expect, it } from "vitest";
import { FILE_BYTES } from "#contracts/report/evidence-rules.ts";
import { fileProblem } from "./choose-files.ts";

const file = (size: number, most = 10) =>
  fileProblem({ name: "a.jpg", type: "image/jpeg", size }, most);

describe("a file before upload", () => {
  it("is rejected above the limit, with a displayed size over it", () => {
    expect(file(FILE_BYTES)).toBeUndefined();
    expect(file(FILE_BYTES + 1)).toBe("This file is 10.1 MB. The limit is 10 MB.");
    expect(file(2.5 * FILE_BYTES)).toBe("This file is 25.0 MB. The limit is 10 MB.");
    expect(file(FILE_BYTES, 4)).toBe("This file is 10.0 MB. The limit is 4 MB.");
  });

  it("is rejected if it is empty, or in Apple's HEIC format", () => {
    expect(file(0)).toBe("This file is empty. Choose another one.");
    expect(fileProblem({ name: "IMG_1.HEIC", type: "", size: 9 }, 10)).toMatch(/Save it as JPEG/);
  });
});
