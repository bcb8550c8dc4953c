// Works on the memory in a folder, in a process of its own.
// usage: node writer.mjs <folder> append <name> <count> | import <files>
import { argv, stdout } from "node:process";
import { openTestStore } from "@openclaw/plugin-testkit";
import "../../bench/sources.mjs";

const { openMemory } = await import("../../src/memory.ts");
const { importFolder } = await import("../../src/transfer/import.ts");
const [, , folder, task, subject, count] = argv;
const owner = { user: "owner", agent: "main" };
const embedder = {
  model: async () => "test",
  async embed(texts) {
    const vectors = texts.map(({ length }) => new Float32Array(64).fill(length));
    return { model: "test", dimensions: 64, vectors };
  },
};
const { store, close } = await openTestStore({ folder });
const memory = await openMemory(store, { embedder });
if (task === "append") {
  for (let index = 0; index < Number(count); index += 1) {
    const content = `${subject} ${index}.`;
    await memory.documents.write(owner, { path: "log.md", content, append: true });
  }
} else {
  // The parent kills this process.
  const onProgress = (files) => stdout.write(`${files}\n`);
  for (;;) {
    await importFolder(memory, owner, subject, { onProgress });
    await memory.embeddings.idle();
    await memory.database.query("update chunks set embedded_by = null");
    for (const { path } of await memory.documents.list(owner)) {
      await memory.documents.write(owner, { path, content: "changed", append: true });
    }
  }
}
await memory.embeddings.idle();
await memory.close();
await close();
