import { readFile } from "node:fs/promises";
import { errorMessage } from "@openclaw/foundation";
import { isRecord, readFrontMatter } from "@openclaw/foundation/front-matter";
import type { BundleFile } from "@openclaw/plugin-discovery";
import { parse as parseToml } from "smol-toml";

/** Largest file of a command or an agent, in bytes. */
const LARGEST_FILE = 64 * 1024;

/** File of a bundle with settings and a text for the model. */
export interface PromptFile {
  readonly name: string;
  readonly settings: Readonly<Record<string, unknown>>;
  readonly text: string;
}

/**
 * Reads a command or an agent of a bundle: Markdown, with or without front matter, or the TOML of Gemini CLI.
 * @param file - file of the bundle
 * @returns the file, or a problem as a part of a sentence after its path
 */
export async function readPromptFile({
  name,
  path,
}: BundleFile): Promise<PromptFile | { readonly problem: string }> {
  try {
    const content = await readFile(path);
    if (content.byteLength > LARGEST_FILE) {
      return { problem: `is larger than ${LARGEST_FILE} bytes` };
    }
    const text = content.toString("utf8");
    if (path.endsWith(".toml")) return readToml(name, text);
    if (!/^\uFEFF?\s*---/.test(text)) return { name, settings: {}, text: text.trim() };
    const found = await readFrontMatter(text, "description", ["description", "argument-hint"]);
    if ("problem" in found) return found;
    return { name, settings: found.values, text: found.body.trim() };
  } catch (error) {
    return { problem: `cannot be read: ${errorMessage(error)}` };
  }
}

function readToml(name: string, text: string): PromptFile | { readonly problem: string } {
  const value: unknown = parseToml(text);
  if (!isRecord(value) || typeof value.prompt !== "string") return { problem: "has no prompt" };
  return { name, settings: value, text: value.prompt.trim() };
}

/**
 * Returns a setting in one line; undefined when it is not a text.
 * @param value - value of a setting
 */
export function lineOf(value: unknown): string | undefined {
  if (Array.isArray(value)) return lineOf(value.map((each) => `[${String(each)}]`).join(" "));
  if (typeof value !== "string" && typeof value !== "number") return undefined;
  const line = String(value).trim().replaceAll(/\s+/g, " ");
  return line === "" ? undefined : line;
}
