import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { JitiVerdicts } from "../../src/loading/jiti-decisions.js";

const REFUSED = "it uses TypeScript syntax that Node does not strip";
let root: string;
let file: string;
let entry: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "jiti-verdicts-"));
  file = join(root, "cache/jiti-entries.json");
  entry = join(root, "index.ts");
  writeFileSync(entry, "enum Kind { One }");
});

afterEach(() => {
  rmSync(root, { recursive: true });
});

describe("record of modules that Node rejected", () => {
  it("is read by later processes, until the entry changes", () => {
    expect(new JitiVerdicts(file).reasonFor(entry)).toBeUndefined();
    new JitiVerdicts(file).note(entry, REFUSED);
    const later = new JitiVerdicts(file);
    expect(later.reasonFor(entry)).toBe(REFUSED);
    expect(later.reasonFor(join(root, "cache"))).toBeUndefined();
    writeFileSync(entry, "const kind = 1;");
    expect(later.reasonFor(entry)).toBeUndefined();
    expect(new JitiVerdicts(file).reasonFor(entry)).toBeUndefined();
  });

  it.each([
    "",
    "{",
    "null",
    "[]",
    '{ "__proto__": { "state": "x" } }',
    '{ "/index.ts": 7, "/other.ts": { "state": 1, "refused": "x" } }',
  ])("is discarded when its content is %j", (kept) => {
    mkdirSync(join(root, "cache"));
    writeFileSync(file, kept);
    const verdicts = new JitiVerdicts(file);
    expect(verdicts.reasonFor(entry)).toBeUndefined();
    verdicts.note(entry, REFUSED);
    expect(new JitiVerdicts(file).reasonFor(entry)).toBe(REFUSED);
  });

  it("is kept for this process only when nothing can be written", () => {
    writeFileSync(join(root, "cache"), "a file where the folder should be");
    const verdicts = new JitiVerdicts(file);
    verdicts.note(entry, REFUSED);
    expect(verdicts.reasonFor(entry)).toBe(REFUSED);
    expect(new JitiVerdicts(file).reasonFor(entry)).toBeUndefined();
  });
});
