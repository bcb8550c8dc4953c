// Checks of the built site: links and their fragments lead somewhere, and a page loads nothing from another host.
import { existsSync, globSync, readFileSync } from "node:fs";
import { extname, join, posix } from "node:path";

/** Patterns of the requests that a browser makes by itself. A link in `<a>` is a decision of the reader. */
const REQUESTS = [
  /<(?:script|img|iframe|source|video|audio|embed)\b[^>]*\ssrc="((?:https?:)?\/\/[^"]*)"/g,
  /<link\b[^>]*\shref="((?:https?:)?\/\/[^"]*)"/g,
  /@import\s+(?:url\()?["']?((?:https?:)?\/\/[^"')]*)/g,
  /url\(\s*["']?((?:https?:)?\/\/[^"')]*)/g,
];

/**
 * Returns the problems of a built site.
 * @param {string} site - folder of the site
 * @returns {string[]}
 */
export function siteProblems(site) {
  const files = globSync("**/*.{html,css}", { cwd: site }).map((file) =>
    file.replaceAll("\\", "/"),
  );
  const texts = new Map(files.map((file) => [file, readFileSync(join(site, file), "utf8")]));
  const ids = new Map();
  const problems = [];
  for (const [file, text] of texts) {
    for (const pattern of REQUESTS) {
      for (const [, url] of text.matchAll(pattern)) problems.push(`${file}: requests ${url}`);
    }
    if (extname(file) === ".html" && file !== "404.html") {
      for (const [, href] of text.matchAll(/<a\b[^>]*\shref="([^"]+)"/g)) checkLink(file, href);
    }
  }
  return [...new Set(problems)];

  function checkLink(file, href) {
    if (/^[a-z][a-z0-9+.-]*:/i.test(href)) return;
    const [path, fragment] = href.replaceAll("&amp;", "&").split("#");
    const target = targetOf(file, decodeURI(path));
    if (!texts.has(target) && !existsSync(join(site, target))) {
      problems.push(`${file}: the link ${href} leads to nothing`);
    } else if (fragment && texts.has(target) && !idsOf(target).has(decodeURIComponent(fragment))) {
      problems.push(`${file}: the link ${href} leads to a heading that does not exist`);
    }
  }

  function idsOf(file) {
    const found = ids.get(file);
    if (found !== undefined) return found;
    const all = new Set(
      [...texts.get(file).matchAll(/\sid="([^"]*)"/g)].map(([, id]) => decoded(id)),
    );
    ids.set(file, all);
    return all;
  }
}

function decoded(text) {
  return text.replaceAll("&amp;", "&").replaceAll("&quot;", '"');
}

function targetOf(file, path) {
  if (path === "") return file;
  const absolute = path.startsWith("/") ? path.slice(1) : posix.join(posix.dirname(file), path);
  if (absolute === "" || absolute === "." || absolute.endsWith("/"))
    return posix.join(absolute, "index.html");
  return extname(absolute) === "" || /\.\d+$/.test(absolute) ? `${absolute}.html` : absolute;
}
