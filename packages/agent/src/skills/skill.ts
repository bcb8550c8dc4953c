import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { answer, ToolRefusalError } from "@openclaw/core-tools";
import { nearestNames, withSuggestion } from "@openclaw/foundation";
import { hostTool } from "@openclaw/plugin-sdk/kit";
import { defineTool, type ToolResult } from "@openclaw/plugin-sdk/tools";
import { Type } from "typebox";
import { readSkillBody, type Skill } from "./catalog.js";

/** Longest list of skills in the tool's description, in characters. */
const MAXIMUM_LISTING = 8000;
const MAXIMUM_RESOURCES = 200;
const MAXIMUM_DEPTH = 4;

/**
 * Creates the `skill` tool, which returns the instructions of one skill and the names of its resources
 * (TURN-072). Its description lists the skills; nothing else of them is part of the prompt (EXT-008).
 * @param skills - skills of the agent, by name; at least one
 * @param onLoaded - called with each skill that the model has loaded
 */
export function createSkillTool(
  skills: readonly Skill[],
  onLoaded: (skill: Skill) => void = () => undefined,
) {
  return defineTool({
    name: "skill",
    label: "Load skill",
    description: `Load a skill's instructions before you do what it is for. Skills:\n${listing(skills)}`,
    parameters: Type.Object(
      { name: Type.String({ minLength: 1, description: "Name of the skill, as listed." }) },
      { additionalProperties: false },
    ),
    parallelSafe: true,
    idempotent: true,
    execute: (_id, { name }) =>
      answer(`load the skill "${name}"`, async () => {
        const skill = skills.find((candidate) => candidate.name === name);
        if (skill === undefined) throw unknownSkill(name, skills);
        const body = await readSkillBody(skill);
        if (body === undefined) throw unknownSkill(name, without(skills, skill));
        const resources = await listResources(skill.folder);
        onLoaded(skill);
        return loaded(skill, body, resources);
      }),
  });
}

/** Returns the list of skills, truncated after a whole skill and with the number of omitted skills. */
function listing(skills: readonly Skill[]): string {
  const lines: string[] = [];
  let length = 0;
  for (const { name, description } of skills) {
    const line = `- ${name}: ${description}`;
    length += line.length + 1;
    if (length > MAXIMUM_LISTING) {
      const rest = skills.slice(lines.length).map((skill) => skill.name);
      const named = rest.slice(0, 20).join(", ");
      lines.push(`- and ${rest.length} more: ${named}${rest.length > 20 ? ", …" : ""}`);
      break;
    }
    lines.push(line);
  }
  return lines.join("\n");
}

function unknownSkill(name: string, skills: readonly Skill[]): ToolRefusalError {
  const names = skills.map((skill) => skill.name);
  return new ToolRefusalError(
    "not-found",
    withSuggestion(
      `Skill "${name}" not found`,
      nearestNames(name, names),
      `the skills are: ${names.slice(0, 20).join(", ")}`,
    ),
  );
}

function without(skills: readonly Skill[], gone: Skill): Skill[] {
  return skills.filter((skill) => skill !== gone);
}

interface Resources {
  readonly names: readonly string[];
  readonly cut: boolean;
}

/** Lists the other files in the skill's folder, level by level; links are not followed. */
async function listResources(folder: string): Promise<Resources> {
  const names: string[] = [];
  let level = [""];
  for (let depth = 1; depth <= MAXIMUM_DEPTH && level.length > 0; depth += 1) {
    const next: string[] = [];
    for (const prefix of level) {
      const entries = await readdir(join(folder, prefix), { withFileTypes: true }).catch(() => []);
      for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
        const name = prefix + entry.name;
        if (entry.isDirectory()) next.push(`${name}/`);
        if (!entry.isFile() || name === "SKILL.md") continue;
        if (names.length === MAXIMUM_RESOURCES) return { names, cut: true };
        names.push(name);
      }
    }
    level = next;
  }
  return { names: names.sort(), cut: level.length > 0 };
}

interface SkillDetails {
  name: string;
  folder: string;
  resources: string[];
}

function loaded(
  { name, folder, allowedTools }: Skill,
  body: string,
  { names, cut }: Resources,
): ToolResult<SkillDetails> {
  const notes: string[] = [];
  if (names.length > 0) {
    const list = names.map((resource) => `- ${resource}`).join("\n");
    notes.push(`Resources in ${folder}, to be opened with read:\n${list}`);
    if (cut) notes.push("There are more; use list to see them.");
  }
  if (allowedTools !== undefined) {
    const names = allowedTools.map(hostTool).join(", ");
    notes.push(`Until this turn ends only these tools may be used: ${names}`);
  }
  const content: ToolResult["content"] = [{ type: "text", text: body }];
  if (notes.length > 0) content.push({ type: "text", text: notes.join("\n") });
  return { content, details: { name, folder, resources: [...names] } };
}
