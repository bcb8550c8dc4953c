import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { lexicalEmbedder } from "./support/lexical-embedder.js";
import { fill, OWNER, openTestMemory } from "./support/open-memory.js";
import { temporaryFolder } from "./support/temporary-folder.js";

const WRITER = fileURLToPath(new URL("children/writer.mjs", import.meta.url));

function start(...words: readonly string[]) {
  const child = spawn(process.execPath, [WRITER, ...words], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  return child;
}

describe("several processes", () => {
  it("[MEM-004] [MEM-048] append to one document without a loss", async () => {
    const folder = temporaryFolder();
    const memory = await openTestMemory({ folder });
    await fill(memory, { "log.md": "begin" });
    const child = start(folder, "append", "other", "30");
    const ended = once(child, "exit");
    for (let index = 0; index < 30; index += 1) {
      await memory.documents.write(OWNER, {
        path: "log.md",
        content: `own ${index}.`,
        append: true,
      });
    }
    expect(await ended).toEqual([0, null]);
    const { content = "" } = (await memory.documents.find(OWNER, "log.md")) ?? {};
    const entries = content.split("\n\n");
    expect(entries).toHaveLength(61);
    for (const writer of ["own", "other"]) {
      const own = entries.filter((entry) => entry.startsWith(writer));
      expect(own).toEqual(Array.from({ length: 30 }, (_, index) => `${writer} ${index}.`));
    }
  });

  it("[MEM-008] a process killed during import, write and embedding leaves whole documents, and the rest is continued", async () => {
    const files = Object.fromEntries(
      Array.from({ length: 150 }, (_, index) => [`n${index}.md`, `document ${index} word${index}`]),
    );
    const notes = temporaryFolder(files);
    const folder = temporaryFolder();
    for (const reports of [1, 5]) {
      const child = start(folder, "import", notes);
      // Each round is killed at another point: after a commit of the import, or some work later.
      for (let seen = 0; seen < reports; seen += 1) await once(child.stdout, "data");
      child.kill("SIGKILL");
      await once(child, "exit");
      const memory = await openTestMemory({ folder });
      const [broken] = await memory.database.query<Record<string, number>>(
        `select
          (select count(*) from documents d where not exists (select 1 from chunks c where c.document = d.id)) as chunkless,
          (select count(*) from chunks c where not exists (select 1 from chunk_terms t where t.rowid = c.id)) as unsearchable,
          (select count(*) from chunk_terms t where not exists (select 1 from chunks c where c.id = t.rowid)) as orphans`,
      );
      expect(broken).toEqual({ chunkless: 0, unsearchable: 0, orphans: 0 });
    }
    const memory = await openTestMemory({ folder }, { embedder: lexicalEmbedder() });
    memory.embeddings?.start();
    await memory.embeddings?.idle();
    const status = await memory.embeddings?.status();
    expect(status).toMatchObject({ pending: 0, model: "lexical-test" });
    expect(status?.chunks).toBeGreaterThanOrEqual(50);
    const [any] = await memory.documents.list(OWNER);
    const { hits } = await memory.search.search(OWNER, {
      query: any?.path.replace(".md", "").replace("n", "word") ?? "",
    });
    expect(hits[0]?.path).toBe(any?.path);
  }, 90_000);
});
