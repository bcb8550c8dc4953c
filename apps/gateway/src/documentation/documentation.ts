import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { nearestNames } from "@openclaw/foundation";
import { type Static, Type } from "typebox";
import { Parse } from "typebox/value";
import { DocumentationMissingError, TopicNotFoundError } from "./errors.js";

/** Schema of the list of topics. */
export const topicList = Type.Array(
  Type.Object({
    topic: Type.String(),
    section: Type.String(),
    title: Type.String(),
    about: Type.String(),
  }),
);

/** A page of the documentation; `topic` is its path without the extension. */
export type Topic = Static<typeof topicList>[number];

/** A place in the documentation that has the words of a search. */
export interface Match {
  readonly topic: string;
  readonly title: string;
  readonly heading: string;
  readonly text: string;
}

const MOST_MATCHES = 20;

/** The documentation that was built into this copy of the product. */
export class Documentation {
  readonly #folder: string;
  /** Topics in reading order. */
  readonly topics: readonly Topic[];

  /**
   * @param folder - folder of the pages with their `topics.json`
   * @throws DocumentationMissingError when it has none
   */
  constructor(folder: string) {
    const file = join(folder, "topics.json");
    if (!existsSync(file)) throw new DocumentationMissingError(folder);
    this.#folder = folder;
    this.topics = Parse(topicList, JSON.parse(readFileSync(file, "utf8")));
  }

  /** Returns the Markdown of a topic. */
  markdown({ topic }: Topic): string {
    return readFileSync(join(this.#folder, `${topic}.md`), "utf8");
  }

  /**
   * Returns the topic with a name: its path, else the first with the name at the end of its path or as its title.
   * @param name - name without regard to capital letters
   */
  find(name: string): Topic | undefined {
    const wanted = nameOf(name);
    const exact = this.topics.find(({ topic }) => topic === wanted);
    if (exact !== undefined) return exact;
    // The guide of a subject comes before the README of the package.
    return this.topics.find(
      ({ topic, title }) => topic.split("/").at(-1) === wanted || nameOf(title) === wanted,
    );
  }

  /**
   * Returns the sections that have every word, those with the words in a heading first.
   * @param words - words of the reader
   * @throws TopicNotFoundError when no section has them, with topics of similar names
   */
  search(words: readonly string[]): readonly Match[] {
    const wanted = words.map((word) => word.toLowerCase());
    const found = this.topics.flatMap((topic) =>
      sectionsOf(this.markdown(topic)).flatMap(({ heading, lines }) => {
        const text = lines.join("\n").toLowerCase();
        const place = `${topic.topic} ${topic.title} ${heading}`.toLowerCase();
        if (!wanted.every((word) => place.includes(word) || text.includes(word))) return [];
        const inPlace = wanted.filter((word) => place.includes(word)).length;
        const line = lines.find((each) => each.toLowerCase().includes(wanted[0] ?? "")) ?? "";
        const score = inPlace * 10 + (topic.topic.startsWith("reference/") ? 0 : 1);
        return [{ score, topic: topic.topic, title: topic.title, heading, text: line.trim() }];
      }),
    );
    if (found.length === 0) {
      const names = this.topics.map(({ topic }) => topic.split("/").at(-1) ?? topic);
      throw new TopicNotFoundError(words.join(" "), nearestNames(words.join("-"), names));
    }
    return found
      .toSorted((first, second) => second.score - first.score)
      .slice(0, MOST_MATCHES)
      .map(({ score: _, ...match }) => match);
  }
}

/**
 * Groups topics by their section, in reading order.
 * @param topics - topics in reading order
 */
export function topicsBySection(topics: readonly Topic[]): ReadonlyMap<string, readonly Topic[]> {
  const sections = new Map<string, Topic[]>();
  for (const topic of topics) {
    const section = sections.get(topic.section) ?? [];
    section.push(topic);
    sections.set(topic.section, section);
  }
  return sections;
}

function nameOf(text: string): string {
  return text
    .toLowerCase()
    .replace(/^docs\/|\.md$/g, "")
    .trim();
}

/** Splits a page at its headings, except those in code. */
function sectionsOf(markdown: string): readonly { heading: string; lines: string[] }[] {
  const sections: { heading: string; lines: string[] }[] = [];
  let isCode = false;
  for (const line of markdown.split("\n")) {
    if (line.trimStart().startsWith("```")) isCode = !isCode;
    const [, heading] = isCode ? [] : (/^#+ (.*)$/.exec(line) ?? []);
    if (heading !== undefined) sections.push({ heading, lines: [] });
    else sections.at(-1)?.lines.push(line);
  }
  return sections;
}
