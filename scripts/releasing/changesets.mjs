// Reads the waiting changesets. The text of each begins with a topic, which says where its reader finds it in a
// changelog: `guard: …`, or `guard!: …` for a change after which the reader has to act.
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Topics and their headings in a changelog, in the order of a changelog: each names what a reader does. */
export const TOPICS = new Map([
  ["chat", "Chat with the agent"],
  ["channels", "Reach the agent from other apps"],
  ["models", "Choose models"],
  ["tools", "Give the agent tools, memory and workflows"],
  ["guard", "Decide what the agent may do"],
  ["plugins", "Install and run plugins"],
  ["operate", "Run a gateway"],
  ["api", "Call the API"],
  ["author", "Write plugins"],
  ["embed", "Embed the host"],
]);

/** Largest number of waiting changesets without a warning. */
const MANY_CHANGESETS = 30;

/** Number of characters of a new changeset's text: a sentence of need and one of rule. */
const LONGEST_TEXT = 400;

const MOST_SENTENCES = 3;
const EXAMPLE =
  'For example "operate: The log grew without limit. It now starts a new file at 10 MiB and keeps five older ones."';

/** Advice for a changeset without a topic. */
export const TOPIC_ADVICE = `Begin the text with one of ${[...TOPICS.keys()].map((topic) => `${topic}:`).join(" ")} and write "!" before the colon of a breaking change. ${EXAMPLE}`;

const FILE = /^---\r?\n(?<front>[\s\S]*?)---[ \t]*\r?\n(?<text>[\s\S]*)$/;
const RELEASE = /^(?<quote>["']?)(?<name>[^"':]+)\k<quote>\s*:\s*["']?(?<bump>major|minor|patch)\b/;
const TOPIC = /^(?<topic>[a-z]+)(?<breaking>!?):\s+(?<text>\S[\s\S]*)$/;
const BUMPS = ["major", "minor", "patch"];
const SENTENCES = new Intl.Segmenter("en", { granularity: "sentence" });

/**
 * Returns the waiting changesets of a workspace: new features before corrections, and then by file.
 * @param root - the workspace
 */
export function readChangesets(root) {
  return globSync(".changeset/*.md", { cwd: root })
    .filter((file) => !file.endsWith("README.md"))
    .sort()
    .map((file) => ({ file, ...parseChangeset(readFileSync(join(root, file), "utf8")) }))
    .sort((one, other) => BUMPS.indexOf(one.bump) - BUMPS.indexOf(other.bump));
}

/**
 * Returns the parts of a changeset.
 * @param content - content of its file
 * @returns names of the released packages, and the largest step of their versions; topic, undefined for a missing or an
 *   unknown one; whether the change breaks something; the text after the topic
 */
export function parseChangeset(content) {
  const { front = "", text = content } = FILE.exec(content)?.groups ?? {};
  const releases = front.split("\n").flatMap((line) => RELEASE.exec(line.trim())?.groups ?? []);
  const found = TOPIC.exec(text.trim())?.groups;
  const topic = TOPICS.has(found?.topic) ? found?.topic : undefined;
  const bump = BUMPS.find((one) => releases.some((release) => release.bump === one)) ?? "patch";
  return {
    packages: releases.map(({ name }) => name),
    bump,
    topic,
    isBreaking: bump === "major" || (topic !== undefined && found.breaking !== ""),
    text: topic === undefined ? text.trim() : found.text,
  };
}

/**
 * Tells whether a changeset needs a topic and has none that is known.
 * @param changeset - as parsed
 */
export function lacksTopic({ packages, topic }) {
  return topic === undefined && packages.length > 0;
}

/**
 * Returns what is wrong with the text of a new changeset, and how to correct it.
 * @param changeset - as parsed
 * @returns undefined when it has a topic and is short enough
 */
export function textProblem(changeset) {
  if (lacksTopic(changeset)) {
    return { problem: "its text does not begin with a known topic", advice: TOPIC_ADVICE };
  }
  const { text } = changeset;
  // Code contains full stops that end no sentence.
  const prose = text.replaceAll(/`[^`]*`/g, "code");
  const sentences = [...SENTENCES.segment(prose)].length;
  if (text.length <= LONGEST_TEXT && sentences <= MOST_SENTENCES) return undefined;
  return {
    problem: `its text has ${text.length} characters in ${sentences} sentences; at most ${LONGEST_TEXT} in ${MOST_SENTENCES} are allowed`,
    advice: `Write one sentence of need and one of rule, and leave details to the documentation. ${EXAMPLE}`,
  };
}

/**
 * Returns what is wrong with the packages of a new changeset, and how to correct it: one that is not published has no
 * changelog, and stops the release.
 * @param changeset - as parsed
 * @param published - names of the published packages of the workspace
 * @returns undefined when each is published
 */
export function packageProblem({ packages }, published) {
  const others = packages.filter((name) => !published.includes(name));
  if (others.length === 0) return undefined;
  return {
    problem: `it names ${others.join(", ")}, which the workspace does not publish`,
    advice: "Name the published packages whose users see the change.",
  };
}

/**
 * Returns a warning when too many changesets wait.
 * @param count - number of waiting changesets
 */
export function backlogWarning(count) {
  if (count <= MANY_CHANGESETS) return undefined;
  return `${count} changesets wait, more than ${MANY_CHANGESETS}: release soon, because few read a changelog of that length`;
}
