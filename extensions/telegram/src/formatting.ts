import { type MarkedToken, marked, type Token, type Tokens } from "marked";

/**
 * Converts Markdown to the HTML that Telegram understands: bold, italic, strikethrough, code, links and quotes. What
 * it does not have becomes text: headings are bold, lists have bullets, tables are preformatted.
 * @param markdown - text of a message
 */
export function telegramHtml(markdown: string): string {
  const tokens = marked.lexer(markdown);
  const named = new Set<string>();
  marked.walkTokens(tokens, (token) => {
    if (token.type === "link" || token.type === "image") named.add(`${token.href} ${token.text}`);
  });
  return blocks(tokens.filter((token) => !isPlaced(token as MarkedToken, named))).trim();
}

/** Returns true for a definition whose link is in the text, under another name than that of the definition. */
function isPlaced(token: MarkedToken, named: ReadonlySet<string>): boolean {
  if (token.type !== "def") return false;
  const links = [...named].filter((link) => link.startsWith(`${token.href} `));
  return links.some((link) => link.toLowerCase() !== `${token.href} ${token.tag}`.toLowerCase());
}

/**
 * Returns true if Telegram accepts a message: it shows something, and not more than the limit. Blank lines between blocks
 * and longer lines for rules make some messages longer than their Markdown.
 * @param html - from {@link telegramHtml}
 * @param limit - maximum length without the tags, in characters
 */
export function fits(html: string, limit: number): boolean {
  const shown = html.replace(/<[^>]*>/g, "").replace(/&(?:lt|gt|amp|quot);/g, "x");
  return shown.trim() !== "" && shown.length <= limit;
}

/**
 * Escapes a text for Telegram's HTML.
 * @param text - any text
 */
function escapeHtml(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}

function blocks(tokens: readonly Token[]): string {
  let text = "";
  let last: string | undefined;
  for (const token of tokens) {
    const next = block(token as MarkedToken);
    if (next === "") continue;
    const separator = last === "def" && token.type === "def" ? "\n" : "\n\n";
    text += text === "" ? next : separator + next;
    last = token.type;
  }
  return text;
}

function block(token: MarkedToken): string {
  switch (token.type) {
    case "space":
      return "";
    // A definition that no link uses is a source, and the text of the reply.
    case "def":
      return definition(token);
    case "code": {
      const [language = ""] = (token.lang ?? "").split(/\s/, 1);
      const code = escapeHtml(token.text);
      if (!/^[\w+#.-]{1,32}$/.test(language)) return `<pre>${code}</pre>`;
      return `<pre><code class="language-${escapeHtml(language)}">${code}</code></pre>`;
    }
    case "heading":
      return `<b>${inline(token.tokens)}</b>`;
    case "blockquote":
      return `<blockquote>${blocks(token.tokens)}</blockquote>`;
    case "list":
      return list(token, 0);
    case "hr":
      return "———";
    case "table":
      return `<pre>${escapeHtml(token.raw.trim())}</pre>`;
    case "paragraph":
      return inline(token.tokens);
    case "text":
      return token.tokens === undefined ? escapeHtml(token.text) : inline(token.tokens);
    default:
      return escapeHtml(token.raw.trim());
  }
}

function list({ items, ordered, start }: Tokens.List, depth: number): string {
  const indent = "  ".repeat(depth);
  return items
    .map((item, index) => {
      const mark = ordered ? `${Number(start || 1) + index}.` : "•";
      const box = item.task ? (item.checked === true ? "☑ " : "☐ ") : "";
      const parts = item.tokens.map((token) => {
        const each = token as MarkedToken;
        return each.type === "list" ? `\n${list(each, depth + 1)}` : block(each);
      });
      return `${indent}${mark} ${box}${parts.join("")}`;
    })
    .join("\n");
}

function inline(tokens: readonly Token[]): string {
  return tokens.map((token) => inlineOf(token as MarkedToken)).join("");
}

function inlineOf(token: MarkedToken): string {
  switch (token.type) {
    case "strong":
      return `<b>${inline(token.tokens)}</b>`;
    case "em":
      return `<i>${inline(token.tokens)}</i>`;
    case "del":
      return `<s>${inline(token.tokens)}</s>`;
    case "codespan":
      return `<code>${escapeHtml(token.text)}</code>`;
    case "br":
      return "\n";
    case "link":
      return link(token.href, inline(token.tokens));
    case "image":
      return link(token.href, escapeHtml(token.text || token.href));
    case "escape":
      return escapeHtml(token.text);
    case "text":
      return token.tokens === undefined ? escapeHtml(token.text) : inline(token.tokens);
    default:
      return escapeHtml(token.raw);
  }
}

function definition({ tag, href, title }: Tokens.Def): string {
  const name = title === undefined || title === "" ? "" : ` ${escapeHtml(title)}`;
  return `[${escapeHtml(tag)}]: ${link(href, escapeHtml(href))}${name}`;
}

/** A link to anything but a web page, for example to a file of this machine, is shown as text. */
function link(href: string, text: string): string {
  return isWeb(href) ? `<a href="${escapeHtml(href)}">${text}</a>` : text;
}

function isWeb(href: string): boolean {
  return /^(?:https?|tg|mailto):/i.test(href);
}
