import { openInBrowser } from "../console/browser.js";
import { documentationFolder, stateDirOf } from "../installation.js";
import type { CommandContext } from "../shell/context.js";
import { EXIT, type ExitCode } from "../shell/exit-code.js";
import { printPaged } from "../shell/pager.js";
import type { Terminal } from "../shell/terminal.js";
import { Documentation, type Match, type Topic, topicsBySection } from "./documentation.js";

/**
 * Runs `openclaw docs`: lists the topics, prints or opens a page, or lists what matches a search.
 * @param words - name of a topic, or words to search for
 * @param options - where to show the page, and the format
 * @param context - terminal and environment
 * @throws TopicNotFoundError when neither a topic nor a section has the words
 */
export async function documentationCommand(
  words: readonly string[],
  { open = false, json = false }: { open?: boolean; json?: boolean },
  { terminal, environment }: CommandContext,
): Promise<ExitCode> {
  const documentation = new Documentation(documentationFolder());
  const topic = words.length === 0 ? undefined : documentation.find(words.join(" "));
  if (open) {
    const shown = topic ?? (words.length === 0 ? undefined : documentation.search(words)[0]);
    const { writeBrowserPages } = await import("./browser-pages.js");
    const url = writeBrowserPages(documentation, shown?.topic, stateDirOf(environment));
    if (json) terminal.print(JSON.stringify({ url }));
    else if (await openInBrowser(url, environment)) terminal.print(`Opened ${url}`);
    else terminal.print(url);
    return EXIT.ok;
  }
  if (words.length === 0) {
    if (json) terminal.print(JSON.stringify({ topics: documentation.topics }));
    else await printPaged(topicLines(documentation.topics, terminal), terminal);
    return EXIT.ok;
  }
  if (topic === undefined) {
    const matches = documentation.search(words);
    if (json) terminal.print(JSON.stringify({ matches }));
    else await printPaged(matchLines(matches, terminal), terminal);
    return EXIT.ok;
  }
  const markdown = documentation.markdown(topic);
  if (json) {
    terminal.print(JSON.stringify({ page: { topic: topic.topic, title: topic.title, markdown } }));
  } else {
    await printPaged(await pageLines(markdown, terminal), terminal);
  }
  return EXIT.ok;
}

function topicLines(topics: readonly Topic[], { colors }: Terminal): readonly string[] {
  const width = Math.max(...topics.map(({ topic }) => topic.length));
  const sections = topicsBySection(topics);
  const lines = [...sections].flatMap(([section, pages]) => [
    colors.bold(section),
    ...pages.map(({ topic, about }) => `  ${topic.padEnd(width)}  ${about}`.trimEnd()),
    "",
  ]);
  return [
    ...lines,
    "`openclaw docs <topic>` prints a page, `--open` shows it in a browser, and other words search.",
  ];
}

function matchLines(matches: readonly Match[], { colors }: Terminal): readonly string[] {
  return matches.flatMap(({ topic, title, heading, text }) => {
    const place = heading === title ? title : `${title} > ${heading}`;
    return [`${colors.bold(topic)}  ${place}`, ...(text === "" ? [] : [`  ${text}`])];
  });
}

/** Returns the lines of a page: with styles at a terminal that has them, and as they are written elsewhere. */
async function pageLines(markdown: string, terminal: Terminal): Promise<readonly string[]> {
  if (!terminal.hasScreen) return markdown.trimEnd().split("\n");
  const [{ Markdown }, { markdownTheme }] = await Promise.all([
    import("@earendil-works/pi-tui"),
    import("../chat/screen/theme.js"),
  ]);
  const columns = Math.min(terminal.size?.().columns ?? 80, 100);
  return new Markdown(markdown, 0, 0, markdownTheme).render(columns);
}
