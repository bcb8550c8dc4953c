import { Buffer } from "node:buffer";
import { describeSetting, isRecord, readFrontMatter } from "@openclaw/foundation/front-matter";

/** Contents of a `SKILL.md`: its front matter and the text after it. */
export interface SkillDocument {
  readonly name: string;
  readonly description: string;
  /** Tools that the skill needs, as written; they can only narrow the tools of a turn (EXT-009). */
  readonly allowedTools?: readonly string[] | undefined;
  readonly license?: string | undefined;
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
  /** The instructions. */
  readonly body: string;
}

/** Largest `SKILL.md`, in bytes. */
export const MAXIMUM_SKILL_BYTES = 64 * 1024;
/** Longest description, in characters; it is part of every prompt of the agent. */
const MAXIMUM_DESCRIPTION = 1024;

const NAME = /^[a-z0-9][a-z0-9-]{0,63}$/;

/**
 * Reads the text of a `SKILL.md`.
 * @param text - text of the file
 * @param folderName - name of a skill whose own name is missing or not usable; none when absent
 * @returns the document, or a sentence that describes the problem
 */
export async function readSkillDocument(
  text: string,
  folderName?: string,
): Promise<SkillDocument | { readonly problem: string }> {
  if (Buffer.byteLength(text) > MAXIMUM_SKILL_BYTES) {
    return {
      problem: `is larger than ${MAXIMUM_SKILL_BYTES} bytes; move parts to other files`,
    };
  }
  const fields = await readFrontMatter(text, "name, description", ["name", "description"]);
  if ("problem" in fields) return fields;
  const { license, metadata } = fields.values;
  const name = nameOf(plainText(fields.values.name), folderName);
  const description = plainText(fields.values.description);
  if (typeof name !== "string" || !NAME.test(name)) {
    const expected = "1 to 64 lower-case letters, digits and hyphens";
    return { problem: `has no usable name, expected ${expected}, found ${describeSetting(name)}` };
  }
  if (typeof description !== "string" || description.trim() === "") {
    return {
      problem: `has no description, expected a sentence, found ${describeSetting(description)}`,
    };
  }
  if (description.length > MAXIMUM_DESCRIPTION) {
    const found = `found ${description.length}`;
    return { problem: `has a description of at most ${MAXIMUM_DESCRIPTION} characters, ${found}` };
  }
  const allowedTools = readToolList(fields.values["allowed-tools"]);
  if (allowedTools === "malformed") {
    const found = describeSetting(fields.values["allowed-tools"]);
    return { problem: `has allowed-tools that is not a list of tool names, found ${found}` };
  }
  return {
    name,
    // One line, so that it can be listed among others.
    description: description.trim().replaceAll(/\s+/g, " "),
    body: fields.body.trim(),
    allowedTools,
    license: typeof license === "string" ? license : undefined,
    metadata: isRecord(metadata) ? metadata : undefined,
  };
}

/** Other tools accept any text as the name, and none. */
function nameOf(written: unknown, folderName: string | undefined): unknown {
  const isUsable = typeof written === "string" && NAME.test(written);
  return isUsable || folderName === undefined ? written : folderName;
}

/** YAML reads an unquoted text such as `2024` or `true` as another kind of value. */
function plainText(value: unknown): unknown {
  return typeof value === "number" || typeof value === "boolean" ? String(value) : value;
}

/**
 * Reads `Read, Bash(git:*)` or a list of such names; the part in brackets is ignored because policy cannot
 * narrow that far.
 */
function readToolList(value: unknown): readonly string[] | "malformed" | undefined {
  if (value === undefined || value === null) return undefined;
  const entries: readonly unknown[] = typeof value === "string" ? splitTools(value) : asList(value);
  const names = entries.map((entry) =>
    typeof entry === "string" ? entry.replace(/\(.*\)\s*$/s, "").trim() : "",
  );
  return names.length === 0 || names.includes("") ? "malformed" : names;
}

function splitTools(text: string): string[] {
  return text.match(/[^\s,(]+(?:\([^)]*\))?/g) ?? [];
}

function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
