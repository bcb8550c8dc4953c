import { startOfText } from "@openclaw/plugin-sdk/kit";
import { daysBefore } from "../documents/day.js";
import type { Documents } from "../documents/documents.js";
import type { Notes } from "../documents/notes.js";
import { dailyPath } from "../documents/path.js";
import type { Profiles } from "../organisation/profile.js";
import type { Owner } from "../owner.js";
import { withoutArchives } from "./archived-text.js";
import { ORIGIN } from "./origins.js";

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
  /** True for what the model writes without approval. */
  readonly isNote?: boolean;
}

/** Parts of the prompt that are stored in memory. */
export interface StoredParts {
  /** Documents that only an approver changes: part of the system prompt. */
  readonly instructions?: string | undefined;
  /** Notes and facts, which the model writes by itself: context without a guarantee of its origin. */
  readonly notes?: string | undefined;
}

/**
 * Returns the parts of the prompt that are stored in memory, in the order of the contract (MEM-036, MEM-280).
 * @param dependencies - documents, notes and profiles
 * @param owner - user and agent
 * @param options - true for a conversation of a group, and the maximum number of characters of each file
 */
export async function promptParts(
  { documents, notes, profiles }: PromptDependencies,
  owner: Owner,
  { isGroup, maxChars }: { readonly isGroup: boolean; readonly maxChars: number },
): Promise<StoredParts> {
  const today = notes.today();
  const files: readonly PromptFile[] = [
    { path: "AGENTS.md", title: "Agent Instructions", isPrivate: false },
    { path: "SOUL.md", title: "Core Values", isPrivate: false },
    { path: "USER.md", title: "User", isPrivate: true },
    { path: "IDENTITY.md", title: "Identity", isPrivate: false },
    { path: dailyPath(today), title: "Notes of Today", isPrivate: true, isNote: true },
    {
      path: dailyPath(daysBefore(today, 1)),
      title: "Notes of Yesterday",
      isPrivate: true,
      isNote: true,
    },
  ];
  const visible = files.filter(({ isPrivate }) => !isPrivate || !isGroup);
  const found = await documents.findAll(
    owner,
    visible.map(({ path }) => path),
  );
  const partsOf = (which: boolean) =>
    visible.flatMap(({ path, title, isNote = false }) => {
      const content = withoutArchives(found.get(path)?.content ?? "");
      if (isNote !== which || content === "") return [];
      return [`## ${title}\n\n${capped(content, path, maxChars)}`];
    });
  const profile = isGroup ? undefined : await profileOf(profiles, owner);
  const remembered = [...partsOf(true), ...(profile === undefined ? [] : [profile])];
  return { instructions: joined(partsOf(false)), notes: joined(remembered) };
}

function joined(parts: readonly string[]): string | undefined {
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
      .map(({ key, value, source }) => `- ${oneLine(key)}: ${oneLine(value)}${originOf(source)}`);
    return lines.length === 0 ? [] : [`### ${title}\n\n${lines.join("\n")}`];
  };
  return [
    "## User Profile",
    ...section("User Facts", "static"),
    ...section("Current Context", "dynamic"),
  ].join("\n\n");
}

/** A fact that only the user stated needs no origin. */
function originOf(source: string): string {
  return source.startsWith(ORIGIN) ? ` (${oneLine(source)})` : "";
}

function capped(content: string, path: string, maxChars: number): string {
  if (content.length <= maxChars) return content;
  return `${startOfText(content, maxChars)}\n\n[… ${content.length - maxChars} more characters of ${path}; memory_read shows them]`;
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, " ");
}
