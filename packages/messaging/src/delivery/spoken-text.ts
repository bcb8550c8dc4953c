import type { MarkedToken, Token } from "marked";

/** Longest text that is spoken, in characters: about four minutes, and the limit of common speech services. */
const LONGEST_TEXT = 4096;

/**
 * Returns the text of a reply as it is read aloud: without markup, and with the names of links instead of their URLs.
 * @param markdown - text of the reply
 * @returns undefined for a reply that is sent as text, because it is long, or has code or a table
 */
export async function spokenText(markdown: string): Promise<string | undefined> {
  if (markdown.length > LONGEST_TEXT) return undefined;
  // Imported here, because most hosts speak no replies.
  const { marked } = await import("marked");
  const tokens = marked.lexer(markdown);
  if (tokens.some(({ type }) => type === "code" || type === "table")) return undefined;
  const text = tokens
    .map((token) => textOf(token as MarkedToken))
    .filter((part) => part.trim() !== "")
    .join("\n");
  return text.trim() === "" ? undefined : text;
}

function textOf(token: MarkedToken): string {
  switch (token.type) {
    case "space":
    case "hr":
    case "def":
    case "html":
      return "";
    case "br":
      return "\n";
    case "list":
      return token.items
        .map(({ tokens }) => tokens.map((each) => textOf(each as MarkedToken)).join("\n"))
        .join("\n");
    case "image":
      return token.text;
    default:
      return "tokens" in token && token.tokens !== undefined ? join(token.tokens) : plain(token);
  }
}

function join(tokens: readonly Token[]): string {
  return tokens.map((token) => textOf(token as MarkedToken)).join("");
}

function plain(token: MarkedToken): string {
  return "text" in token ? token.text : token.raw;
}
