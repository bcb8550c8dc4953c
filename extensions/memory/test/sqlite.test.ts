import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";
import { describeMemory } from "./support/memory-suite.js";

const root = mkdtempSync(join(tmpdir(), "openclaw-memory-"));
let count = 0;

describeMemory({
  name: "SQLite",
  dialect: "sqlite",
  vectors: "sqlite-vec",
  place() {
    count += 1;
    return { folder: join(root, String(count)) };
  },
});

afterAll(() => rmSync(root, { recursive: true, force: true }));
