import { Buffer } from "node:buffer";

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
const FENCED =
  /^\uFEFF?---[ \t]*\r?\n(?<matter>[\s\S]*?)(?:^|\n)---[ \t]*(?:\r?\n|$)(?<body>[\s\S]*)$/;

/**
 * Reads the text of a `SKILL.md`.
 * @param text - text of the file
 * @returns the document, or a sentence that describes the problem
 */
export async function readSkillDocument(
  text: string,
): Promise<SkillDocument | { readonly problem: string }> {
  if (Buffer.byteLength(text) > MAXIMUM_SKILL_BYTES) {
    return {
      problem: `is larger than ${MAXIMUM_SKILL_BYTES} bytes; move parts to other files`,
    };
  }
  const { matter, body } = FENCED.exec(text)?.groups ?? {};
  if (matter === undefined || body === undefined) {
    return { problem: "has no front matter; start it with --- , name, description and ---" };
  }
  const fields = await parseFrontMatter(matter);
  if ("problem" in fields) return fields;
  const { name, description, license, metadata } = fields.values;
  if (typeof name !== "string" || !NAME.test(name)) {
    const expected = "1 to 64 lower-case letters, digits and hyphens";
    return { problem: `has no usable name, expected ${expected}, found ${shown(name)}` };
  }
  if (typeof description !== "string" || description.trim() === "") {
    return { problem: `has no description, expected a sentence, found ${shown(description)}` };
  }
  if (description.length > MAXIMUM_DESCRIPTION) {
    const found = `found ${description.length}`;
    return { problem: `has a description of at most ${MAXIMUM_DESCRIPTION} characters, ${found}` };
  }
  const allowedTools = readToolList(fields.values["allowed-tools"]);
  if (allowedTools === "malformed") {
    const found = shown(fields.values["allowed-tools"]);
    return { problem: `has allowed-tools that is not a list of tool names, found ${found}` };
  }
  return {
    name,
    // One line, so that it can be listed among others.
    description: description.trim().replaceAll(/\s+/g, " "),
    body: body.trim(),
    allowedTools,
    license: typeof license === "string" ? license : undefined,
    metadata: isRecord(metadata) ? metadata : undefined,
  };
}

async function parseFrontMatter(
  matter: string,
): Promise<{ readonly values: Readonly<Record<string, unknown>> } | { readonly problem: string }> {
  // Imported on first use: most hosts have no skill.
  const { parse } = await import("./yaml.js");
  try {
    const values: unknown = parse(matter, { schema: "core", maxAliasCount: 0, logLevel: "error" });
    if (isRecord(values)) return { values };
    return { problem: `has front matter that is not a mapping, found ${shown(values)}` };
  } catch (error) {
    const [reason] = String(error instanceof Error ? error.message : error).split("\n");
    return { problem: `has front matter that is not YAML: ${reason}` };
  }
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

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function shown(value: unknown): string {
  if (value === undefined) return "nothing";
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}
