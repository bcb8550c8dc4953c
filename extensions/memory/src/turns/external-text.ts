const BLOCK =
  /(?:SECURITY NOTICE: [^\n]*\n(?:- [^\n]*\n)*\n?)?--- BEGIN EXTERNAL CONTENT ---[\s\S]*?(?:--- END EXTERNAL CONTENT ---|$)/g;

/**
 * Removes the parts of a text that the host marked as external, such as recalled notes or the content of pages. What
 * memory itself put into a prompt, or what others wrote, is not stored as the user's own words.
 * @param text - text of a message
 */
export function withoutExternalText(text: string): string {
  return text.replaceAll(BLOCK, "").trim();
}
