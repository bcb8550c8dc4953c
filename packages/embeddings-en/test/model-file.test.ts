import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { modelFile, readModelFile } from "../src/model-file.js";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "embeddings-en-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

const contents = modelFile({ id: "small-v1", parts: [1, 1], groups: 1 }, ["one", "two"], {
  scales: Float32Array.of(0.5, 1, 2, 0.25, 4, 8),
  values: Int8Array.of(1, -2, 3, 127, -127, 0),
});

function read(bytes: Uint8Array) {
  const file = join(folder, "model.bin");
  writeFileSync(file, bytes);
  return readModelFile(file);
}

describe("model file", () => {
  it("reads what was written", () => {
    const { header, dimensions, rows, scales, values } = read(contents);
    expect(header).toMatchObject({ id: "small-v1", parts: [1, 1], words: 2, groups: 1 });
    expect(dimensions).toBe(2);
    expect([...rows]).toEqual([
      ["one", 0],
      ["two", 1],
    ]);
    expect([...scales]).toEqual([0.5, 1, 2, 0.25, 4, 8]);
    expect([...values]).toEqual([1, -2, 3, 127, -127, 0]);
  });

  it.each([
    ["empty", new Uint8Array(), "does not begin with"],
    ["of another format", Buffer.from("PK\u0003\u0004 something else"), "does not begin with"],
    ["cut off", contents.subarray(0, -1), "bytes instead of"],
    ["with a damaged header", Buffer.from(contents).fill(0, 12, 20), "header is not readable"],
  ])("rejects a file that is %s, and says what to do", (_, bytes, problem) => {
    expect(() => read(bytes)).toThrow(problem);
    expect(() => read(bytes)).toThrow("reinstall @openclaw/embeddings-en");
  });
});
