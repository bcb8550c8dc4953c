import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";
import { describeMemory } from "./support/memory-suite.js";

const root = mkdtempSync(join(tmpdir(), "openclaw-memory-"));
let count = 0;

const engine = {
  dialect: "sqlite",
  vectors: "sqlite-vec",
  place() {
    count += 1;
    return { folder: join(root, String(count)) };
  },
} as const;

describeMemory({ ...engine, name: "SQLite" });
describeMemory({
  ...engine,
  name: "SQLite with codes of all vectors",
  options: { codeSizes: { from: 1, block: 2 } },
});

afterAll(() => rmSync(root, { recursive: true, force: true }));
