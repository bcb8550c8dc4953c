import { daysBefore } from "../documents/day.js";
import type { Documents } from "../documents/documents.js";
import type { Notes } from "../documents/notes.js";
import { dailyPath } from "../documents/path.js";
import type { Profiles } from "../organisation/profile.js";
import type { Owner } from "../owner.js";
import { withoutArchives } from "./archived-text.js";

/** Dependencies of {@link promptParts}. */
export interface PromptDependencies {
  readonly documents: Pick<Documents, "findAll">;
  readonly notes: Pick<Notes, "today">;
  readonly profiles: Pick<Profiles, "list">;
}

/** A file of the prompt. */
interface PromptFile {
  readonly path: string;
  readonly title: string;
  /** True for what only the user may see, and no other member of a group. */
  readonly isPrivate: boolean;
}

/**
 * Returns the parts of the system prompt that are stored in memory, in the order of the contract (MEM-036).
 * @param dependencies - documents, notes and profiles
 * @param owner - user and agent
 * @param options - true for a conversation of a group, and the maximum number of characters of each file
 * @returns undefined when there is none
 */
export async function promptParts(
  { documents, notes, profiles }: PromptDependencies,
  owner: Owner,
  { isGroup, maxChars }: { readonly isGroup: boolean; readonly maxChars: number },
): Promise<string | undefined> {
  const today = notes.today();
  const files: readonly PromptFile[] = [
    { path: "AGENTS.md", title: "Agent Instructions", isPrivate: false },
    { path: "SOUL.md", title: "Core Values", isPrivate: false },
    { path: "USER.md", title: "User", isPrivate: true },
    { path: "IDENTITY.md", title: "Identity", isPrivate: false },
    { path: dailyPath(today), title: "Notes of Today", isPrivate: true },
    { path: dailyPath(daysBefore(today, 1)), title: "Notes of Yesterday", isPrivate: true },
  ];
  const visible = files.filter(({ isPrivate }) => !isPrivate || !isGroup);
  const found = await documents.findAll(
    owner,
    visible.map(({ path }) => path),
  );
  const parts = visible.flatMap(({ path, title }) => {
    const content = withoutArchives(found.get(path)?.content ?? "");
    return content === "" ? [] : [`## ${title}\n\n${capped(content, path, maxChars)}`];
  });
  const profile = isGroup ? undefined : await profileOf(profiles, owner);
  if (profile !== undefined) parts.push(profile);
  return parts.length === 0 ? undefined : parts.join("\n\n---\n\n");
}

async function profileOf(
  profiles: PromptDependencies["profiles"],
  { user }: Owner,
): Promise<string | undefined> {
  const facts = await profiles.list(user);
  if (facts.length === 0) return undefined;
  const section = (title: string, type: string) => {
    const lines = facts
      .filter((fact) => fact.type === type)
      .map(({ key, value }) => `- ${oneLine(key)}: ${oneLine(value)}`);
    return lines.length === 0 ? [] : [`### ${title}\n\n${lines.join("\n")}`];
  };
  return [
    "## User Profile",
    ...section("User Facts", "static"),
    ...section("Current Context", "dynamic"),
  ].join("\n\n");
}

function capped(content: string, path: string, maxChars: number): string {
  if (content.length <= maxChars) return content;
  return `${content.slice(0, maxChars)}\n\n[… ${content.length - maxChars} more characters of ${path}; memory_read shows them]`;
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, " ");
}
