// The table of contents: docs/README.md, whose sections are the four doors and the reference.

/**
 * @param {string} text - Markdown of docs/README.md, with its links rewritten
 * @returns {{ title: string, entries: { title: string, page: string, about: string }[] }[]}
 */
export function tableOfContents(text) {
  return text
    .split(/^## /m)
    .slice(1)
    .map((section) => {
      const [title, ...rest] = section.split("\n");
      const items = rest
        .join("\n")
        .split(/^- /m)
        .slice(1)
        .map((item) => item.replaceAll(/\s+/g, " ").trim());
      return { title: title.trim(), entries: items.flatMap(entriesOf) };
    });
}

/** Returns the links of a list item, each with the text after its colon. */
function entriesOf(item) {
  const links = [...item.matchAll(/\[([^\]]+)\]\(\.\/([^)#]+\.md)(?:#[^)]*)?\)(?:: ([^[.;]+))?/g)];
  return links.map(([, title, page, about = ""]) => ({
    title: capitalised(title),
    page,
    about: about.trim(),
  }));
}

function capitalised(title) {
  return title.charAt(0).toUpperCase() + title.slice(1);
}
