import { signal } from "@preact/signals";
import { saveFile } from "../../components/save-file.js";
import { isRecord } from "../../components/schema-form/schema.js";
import { faultOf } from "../../state/fault.js";
import { call } from "../../state/link.js";
import { documentsOf, isFollowed, ofAgent, refreshMemory, tree } from "./memory.js";
import { text } from "./messages.js";

/** Documents of an export that were read; undefined while none is under way. */
export const exported = signal<{ readonly done: number; readonly all: number } | undefined>(
  undefined,
);

/** Result of an import. */
export interface Imported {
  readonly documents: number;
  readonly others: number;
  /** Why parts were left out, each as a sentence. */
  readonly skipped: readonly string[];
}

/** Saves the documents, connections, spaces and facts as JSON Lines. */
export async function exportMemory(): Promise<void> {
  if (exported.peek() !== undefined) return;
  const lines: object[] = [];
  try {
    // The view may not have read it yet.
    await tree.load();
    const paths = documentsOf(tree.value.peek() ?? []).map((each) => each.path);
    exported.value = { done: 0, all: paths.length };
    for (const [index, path] of paths.entries()) {
      const { isFollowed: _followed, ...document } = await call("memory.read", {
        path,
        ...ofAgent(),
      });
      lines.push({ kind: "document", ...document });
      exported.value = { done: index + 1, all: paths.length };
    }
    const { connections } = await call("memory.connections", ofAgent());
    lines.push(...connections.map(({ id: _id, ...each }) => ({ kind: "connection", ...each })));
    for (const space of (await call("memory.spaces", ofAgent())).spaces) {
      const { documents } = await call("memory.space", { space: space.name, ...ofAgent() });
      lines.push({ kind: "space", ...space, documents });
    }
    const { facts } = await call("memory.profile", ofAgent());
    lines.push(...facts.map((each) => ({ kind: "fact", ...each })));
    const file = lines.map((line) => `${JSON.stringify(line)}\n`).join("");
    saveFile(file, "openclaw-memory.jsonl", "application/jsonl");
  } catch (error) {
    tree.fault.value = faultOf(error);
  }
  exported.value = undefined;
}

/**
 * Writes files into the memory: each Markdown file as a document, each line of an export as what it was.
 * @param files - files of the person
 * @param folder - folder of the memory for Markdown files
 */
export async function importFiles(files: readonly File[], folder: string): Promise<Imported> {
  const skipped: string[] = [];
  let documents = 0;
  let others = 0;
  const write = async (target: string, content: string) => {
    try {
      // Its approval could take as long as it likes.
      if (isFollowed(target)) {
        skipped.push(text.skipped(target, text.followedWhy));
        return;
      }
      await call("memory.write", { target, content, append: false, ...ofAgent() });
      documents += 1;
    } catch (error) {
      skipped.push(text.skipped(target, faultOf(error).message));
    }
  };
  for (const file of files) {
    const content = await file.text();
    if (!file.name.endsWith(".jsonl")) {
      await write(
        folder === "" ? file.name : `${folder.replace(/\/+$/, "")}/${file.name}`,
        content,
      );
      continue;
    }
    const rows = content.split("\n").filter((line) => line.trim() !== "");
    for (const [index, line] of rows.entries()) {
      const row = rowOf(line);
      if (row?.kind === "document") await write(String(row.path), String(row.content));
      else {
        try {
          await importRow(row);
          others += 1;
        } catch (error) {
          skipped.push(text.skipped(`${file.name}:${index + 1}`, faultOf(error).message));
        }
      }
    }
  }
  refreshMemory();
  return { documents, others, skipped };
}

async function importRow(row: Readonly<Record<string, unknown>> | undefined): Promise<void> {
  const { kind, name, description, documents, sourcePath, targetPath, type, key, value } =
    row ?? {};
  if (kind === "connection") {
    const known = (["updates", "extends", "derives"] as const).find((each) => each === type);
    if (known === undefined) throw new Error(String(type));
    const asked = { source: String(sourcePath), target: String(targetPath), type: known };
    await call("memory.connect", { ...asked, ...ofAgent() });
  } else if (kind === "space") {
    const space = String(name);
    const { spaces } = await call("memory.spaces", ofAgent());
    if (!spaces.some((each) => each.name === space)) {
      await call("memory.createSpace", {
        ...{ space, description: String(description ?? ""), ...ofAgent() },
      });
    }
    for (const path of Array.isArray(documents) ? documents : []) {
      await call("memory.assign", { space, path: String(path), isIn: true, ...ofAgent() });
    }
  } else if (kind === "fact") {
    const known = type === "dynamic" ? "dynamic" : "static";
    await call("memory.setFact", {
      ...{ key: String(key), value: String(value), type: known, ...ofAgent() },
    });
  } else throw new Error(String(kind));
}

function rowOf(line: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const row: unknown = JSON.parse(line);
    return isRecord(row) ? row : undefined;
  } catch {
    return undefined;
  }
}
