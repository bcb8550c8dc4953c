import { lexer, type Token, type Tokens } from "marked";
import type { Dialect } from "./dialect.js";
import { segmentsOf } from "./segments.js";

/**
 * Writes Markdown in the markup of a channel; fenced code stays as it is.
 * @param markdown - reply of a model
 * @param dialect - markup of the channel
 */
export function render(markdown: string, dialect: Dialect): string {
  return segmentsOf(markdown)
    .map(({ kind, text }) => {
      if (kind === "code") return text;
      const [, before = "", , after = ""] = /^(\s*)([\s\S]*?)(\s*)$/.exec(text) ?? [];
      const rendered = new Renderer(dialect).blocks(lexer(text.trim(), { gfm: true }));
      return before + rendered.trim() + after;
    })
    .join("");
}

class Renderer {
  readonly #dialect: Dialect;

  constructor(dialect: Dialect) {
    this.#dialect = dialect;
  }

  blocks(tokens: readonly Token[]): string {
    return tokens.map((token) => this.#block(token)).join("");
  }

  #block(token: Token): string {
    const { heading, quote } = this.#dialect;
    switch (token.type) {
      case "space":
        return token.raw;
      case "heading":
        return heading(this.#inline(token.tokens)) + breakAfter(token.raw, "\n");
      case "paragraph":
      case "text":
        return (
          (token.tokens === undefined ? plainText(token) : this.#inline(token.tokens)) +
          breakAfter(token.raw)
        );
      case "blockquote":
        return (
          this.blocks(token.tokens ?? [])
            .trimEnd()
            .split("\n")
            .map((line) => `${quote}${line}`.trimEnd())
            .join("\n") + breakAfter(token.raw)
        );
      case "list":
        return isList(token) ? this.#list(token) + breakAfter(token.raw) : token.raw;
      case "table":
        return isTable(token) ? this.#table(token) + breakAfter(token.raw) : token.raw;
      case "hr":
        return `---${breakAfter(token.raw)}`;
      default:
        return token.raw;
    }
  }

  #list({ items, ordered, start }: Tokens.List): string {
    const first = typeof start === "number" ? start : 1;
    return items
      .map((item, index) => {
        const mark = ordered ? `${first + index}. ` : this.#dialect.bullet;
        const box = item.task ? (item.checked === true ? "[x] " : "[ ] ") : "";
        const text = this.blocks(item.tokens.filter(({ type }) => type !== "checkbox")).trim();
        return `${mark}${box}${text}`.replaceAll("\n", "\n  ");
      })
      .join("\n");
  }

  #table({ header, rows }: Tokens.Table): string {
    return [header, ...rows]
      .map((cells) => cells.map(({ tokens }) => this.#inline(tokens)).join(" | "))
      .join("\n");
  }

  #inline(tokens: readonly Token[] | undefined): string {
    return (tokens ?? []).map((token) => this.#span(token)).join("");
  }

  #span(token: Token): string {
    const { bold, italic, struck, code, link } = this.#dialect;
    switch (token.type) {
      case "strong":
        return bold(this.#inline(token.tokens));
      case "em":
        return italic(this.#inline(token.tokens));
      case "del":
        return struck(this.#inline(token.tokens));
      case "codespan":
        return code(plainText(token));
      case "link":
        return link(this.#inline(token.tokens), String(token.href));
      case "image":
        return link(plainText(token), String(token.href));
      case "br":
        return "\n";
      case "escape":
        return plainText(token);
      case "text":
        return token.tokens === undefined ? plainText(token) : this.#inline(token.tokens);
      default:
        return token.raw;
    }
  }
}

/** Returns the text of a token; the parser leaves characters such as `&` as they were written. */
function plainText(token: Token): string {
  return "text" in token && typeof token.text === "string" ? token.text : token.raw;
}

/** Returns the line breaks that end the source of a block. */
function breakAfter(raw: string, least = ""): string {
  const breaks = /\n*$/.exec(raw)?.[0] ?? "";
  return breaks === "" ? least : breaks;
}

function isList(token: Token): token is Tokens.List {
  return token.type === "list" && "items" in token;
}

function isTable(token: Token): token is Tokens.Table {
  return token.type === "table" && "rows" in token;
}
