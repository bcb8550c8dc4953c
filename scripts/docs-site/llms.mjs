// llms.txt: the documentation for language models, as a list of its pages in Markdown.

/**
 * @param {ReturnType<import("./contents.mjs").tableOfContents>} contents
 * @param {string} summary - one sentence about the product
 * @returns {string}
 */
export function llmsText(contents, summary) {
  const sections = contents.map(({ title, entries }) => {
    const lines = entries.map(
      ({ title: name, page, about }) => `- [${name}](${page})${about === "" ? "" : `: ${about}`}`,
    );
    return `## ${title}\n\n${lines.join("\n")}\n`;
  });
  return `# OpenClaw\n\n> ${summary}\n\nEvery page is also served as Markdown, at the paths below.\n\n${sections.join("\n")}`;
}
