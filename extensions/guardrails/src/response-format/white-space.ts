import { segmentsOf } from "./segments.js";

/**
 * Removes superfluous white space outside of fenced code: at the ends of lines and of the text, and more than one empty
 * line in a row. Two spaces at the end of a line remain, because they are a line break of Markdown.
 * @param text - Markdown or plain text
 */
export function cleanWhiteSpace(text: string): string {
  const segments = segmentsOf(text.replaceAll("\r\n", "\n"));
  const cleaned = segments.map(({ kind, text: part }) =>
    kind === "code"
      ? part
      : part
          .replaceAll(/(?<=\S)[ \t]+(?=\n)/g, (spaces) => (spaces === "  " ? spaces : ""))
          .replaceAll(/^[ \t]+(?=\n)/gm, "")
          .replaceAll(/\n{3,}/g, "\n\n"),
  );
  const whole = cleaned.join("");
  const isCodeFirst = segments[0]?.kind === "code";
  const isCodeLast = segments.at(-1)?.kind === "code";
  const start = isCodeFirst ? whole : whole.replace(/^(?:[ \t]*\n)+/, "");
  return isCodeLast ? start : start.trimEnd();
}
