import { type MarkedToken, marked, type Token, type Tokens } from "marked";

/**
 * Converts Markdown to the HTML that Telegram understands: bold, italic, strikethrough, code, links and quotes. What
 * it does not have becomes text: headings are bold, lists have bullets, tables are preformatted.
 * @param markdown - text of a message
 */
export function telegramHtml(markdown: string): string {
  return blocks(marked.lexer(markdown)).trim();
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
  return tokens
    .map((token) => block(token as MarkedToken))
    .filter((text) => text !== "")
    .join("\n\n");
}

function block(token: MarkedToken): string {
  switch (token.type) {
    case "space":
    case "def":
      return "";
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

/** A link to anything but a web page, for example to a file of this machine, is shown as text. */
function link(href: string, text: string): string {
  return /^(?:https?|tg|mailto):/i.test(href) ? `<a href="${escapeHtml(href)}">${text}</a>` : text;
}
