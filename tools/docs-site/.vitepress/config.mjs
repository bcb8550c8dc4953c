import { readFileSync } from "node:fs";
import { join } from "node:path";
import { headingId } from "../../../scripts/docs-site/links.mjs";

const tool = join(import.meta.dirname, "..");
const contents = JSON.parse(readFileSync(join(tool, ".pages/contents.json"), "utf8"));
const manifest = JSON.parse(readFileSync(join(tool, "../../apps/gateway/package.json"), "utf8"));
const link = (page) => `/${page.replace(/(^|\/)index\.md$|\.md$/, "$1")}`;

/** One group for each section of docs/README.md; the reader's own is open. */
const groups = contents.map(({ title, entries }) => ({
  title,
  items: entries.map(({ title: text, page, inner }) => ({
    text,
    link: link(page),
    ...(inner.length > 0 && {
      collapsed: true,
      items: inner.map((each) => ({ text: each.title, link: link(each.page) })),
    }),
  })),
}));
const sidebarFor = (open) =>
  groups.map(({ title, items }) => ({ text: title, items, collapsed: !open.includes(title) }));
const [use, operate, author, contribute, reference] = groups.map(({ title }) => title);

export default {
  srcDir: ".pages",
  title: "OpenClaw",
  description: "An agent gateway with plugins: approvals, policy, memory and channels.",
  lang: "en",
  cleanUrls: true,
  lastUpdated: false,
  head: [["link", { rel: "icon", type: "image/svg+xml", href: "/icon.svg" }]],
  markdown: {
    // A link in the repository uses the identifiers of GitHub.
    anchor: { slugify: headingId },
    toc: { slugify: headingId },
    headers: { slugify: headingId },
    // Text in braces is text, and so is a tag that a page names.
    attrs: { disable: true },
    html: false,
    config(md) {
      // The pages are not templates.
      const { renderer } = md;
      const render = renderer.render.bind(renderer);
      renderer.render = (...args) => render(...args).replaceAll("{{", "&#123;&#123;");
    },
  },
  vite: { logLevel: "warn", build: { chunkSizeWarningLimit: 20_000 } },
  themeConfig: {
    logo: "/icon.svg",
    nav: [
      { text: "Use", link: "/use/ten-minutes", activeMatch: "^/use/" },
      { text: "Operate", link: "/operate/ten-minutes", activeMatch: "^/(operate|extensions)/" },
      { text: "Author", link: "/author/quick-start", activeMatch: "^/author/" },
      { text: "Contribute", link: "/project/ten-minutes", activeMatch: "^/(project|contributing|requirements|contract)" },
      { text: "Reference", link: "/reference/configuration", activeMatch: "^/reference/" },
    ],
    sidebar: {
      "/use/": sidebarFor([use]),
      "/operate/": sidebarFor([operate]),
      "/extensions/": sidebarFor([operate]),
      "/author/": sidebarFor([author]),
      "/examples/": sidebarFor([author]),
      "/packages/": sidebarFor([author]),
      "/reference/": sidebarFor([reference]),
      "/": sidebarFor([contribute]),
    },
    outline: { level: [2, 3] },
    search: {
      provider: "local",
      options: {
        miniSearch: {
          // The lists of the reference have every word many times; a guide explains it.
          searchOptions: { boostDocument: (id) => (id.startsWith("/reference/") ? 0.3 : 1) },
        },
        _render(source, env, md) {
          const html = md.render(source, env);
          return env.frontmatter?.search === false ? "" : html;
        },
      },
    },
    footer: { message: `Version ${manifest.version}. MIT license. This site makes no request to another host.` },
    docFooter: { prev: false, next: false },
  },
};
