// The pages of the documentation: `docs/`, and the other Markdown files of the repository that its pages link to. A link
// to a page stays in the documentation, a link to another file leads to the repository, and a link to nothing is an error.
import { existsSync, globSync, readFileSync, statSync } from "node:fs";
import { dirname, join, posix, relative } from "node:path";
import { isExternal, mapProse, rewriteLinks } from "./links.mjs";

/** Lists that are read in the repository: the tests of each requirement, and the changes of each version. */
const IN_REPOSITORY = new Set(["docs/contract.md", "CHANGELOG.md"]);

/** Pages for maintainers are on the site, not in its search. */
export const isForMaintainers = (page) => page.startsWith("requirements/");

/**
 * Reads the pages of the documentation with their links rewritten.
 * @param {string} root - folder of the repository
 * @returns {{ pages: { file: string, page: string, text: string }[], pictures: string[], problems: string[] }}
 *   `file` is the path in the repository, `page` the path in the documentation
 */
export function documentationPages(root) {
  const manifest = JSON.parse(readFileSync(join(root, "apps/gateway/package.json"), "utf8"));
  const repository = manifest.repository.url.replace(/^git\+|\.git$/g, "");
  const waiting = globSync("docs/**/*.md", { cwd: root, exclude: ["**/node_modules/**"] })
    .map((file) => file.replaceAll("\\", "/"))
    .filter((file) => !IN_REPOSITORY.has(file))
    .sort();
  const known = new Set(waiting);
  const pages = [];
  const pictures = new Set();
  const problems = [];
  for (let file = waiting.shift(); file !== undefined; file = waiting.shift()) {
    const page = pageOf(file);
    const text = rewriteLinks(withoutComments(readFileSync(join(root, file), "utf8")), (target) =>
      rewritten(file, page, target),
    );
    pages.push({ file, page, text });
  }
  return { pages, pictures: [...pictures].sort(), problems };

  function rewritten(file, page, target) {
    if (isExternal(target) || target.startsWith("#")) return target;
    const [path, ...fragment] = target.split("#");
    const hash = fragment.length > 0 ? `#${fragment.join("#")}` : "";
    const linked = posix.normalize(posix.join(posix.dirname(file), decodeURI(path)));
    const place = join(root, linked);
    if (linked.startsWith("..") || !existsSync(place)) {
      problems.push(`${file}: the link ${target} leads to nothing`);
      return target;
    }
    if (statSync(place).isDirectory()) {
      const readme = posix.join(linked, "README.md");
      if (!existsSync(join(root, readme))) return `${repository}/tree/main/${linked}${hash}`;
      return pageLink(page, readme, hash);
    }
    if (linked.endsWith(".md") && !IN_REPOSITORY.has(linked)) return pageLink(page, linked, hash);
    if (/^docs\/.*\.(svg|png)$/.test(linked)) {
      pictures.add(linked);
      return relativeLink(page, linked.slice("docs/".length));
    }
    return `${repository}/blob/main/${linked}${hash}`;
  }

  function pageLink(from, file, hash) {
    if (!known.has(file)) {
      known.add(file);
      waiting.push(file);
    }
    return relativeLink(from, pageOf(file)) + hash;
  }
}

/** Returns the place of a Markdown file of the repository in the documentation. */
function pageOf(file) {
  const path = file.startsWith("docs/") ? file.slice("docs/".length) : file;
  if (path === "README.md") return file === "README.md" ? "readme.md" : "contents.md";
  if (/^[A-Z]+\.md$/.test(path)) return path.toLowerCase();
  // A folder with one page is a page: extensions/telegram/README.md is extensions/telegram.md.
  if (/^(extensions|packages|apps)\/[^/]+\/README\.md$/.test(path)) return `${dirname(path)}.md`;
  return path.replace(/README\.md$/, "index.md");
}

function relativeLink(from, to) {
  const path = relative(dirname(from), to).replaceAll("\\", "/");
  return path.startsWith(".") ? path : `./${path}`;
}

/** Marks of generated parts are for the generators. */
function withoutComments(text) {
  return mapProse(text, (line) => line.replaceAll(/<!--.*?-->/g, ""));
}
