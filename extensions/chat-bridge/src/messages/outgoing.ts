import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import type { OutgoingResponse } from "@openclaw/plugin-sdk/channel-core";
import { characterStart } from "@openclaw/plugin-sdk/kit";
import type { AdapterPostableMessage, CardElement, FileUpload } from "chat";
import type { Attachment } from "./limits.js";

type Buttons = NonNullable<OutgoingResponse["buttons"]>;

/** Prefix of the IDs of our buttons. */
const BUTTON = "openclaw";
/** Maximum length of one text of a card in characters; Slack allows 3000, and marks add a few. */
const CARD_TEXT = 2800;

/**
 * Returns a message in the form that adapters take.
 * @param response - text in Markdown, attachments and buttons
 * @returns a card for a message with buttons, else Markdown; files are read from disk
 */
export async function postable(response: OutgoingResponse): Promise<AdapterPostableMessage> {
  const { content, attachments = [], buttons = [] } = response;
  const linked = attachments.filter(({ path, url }) => path === undefined && url !== undefined);
  const files = await Promise.all(attachments.flatMap((each) => fileOf(each) ?? []));
  const markdown = [content, ...linked.map(({ url = "" }) => url)]
    .filter((part) => part !== "")
    .join("\n\n");
  const upload = files.length === 0 ? {} : { files };
  if (buttons.flat().length === 0) return { markdown, ...upload };
  return { card: cardOf(markdown, buttons), fallbackText: markdown, ...upload };
}

function cardOf(text: string, buttons: Buttons): CardElement {
  const texts = chunksOf(text).map((content) => ({ type: "text" as const, content }));
  const rows = buttons.map((row, rowIndex) => ({
    type: "actions" as const,
    children: row.map(({ label, value }, index) => ({
      type: "button" as const,
      id: `${BUTTON}:${rowIndex}:${index}`,
      label,
      value,
    })),
  }));
  return { type: "card", children: [...texts, ...rows] };
}

/** Divides a text at line breaks where it has them. */
function chunksOf(text: string): string[] {
  const chunks: string[] = [];
  let rest = text;
  while (rest.length > CARD_TEXT) {
    const line = rest.lastIndexOf("\n", CARD_TEXT);
    const cut = characterStart(rest, line > 0 ? line : CARD_TEXT);
    chunks.push(rest.slice(0, cut));
    rest = rest.slice(cut).replace(/^\n/, "");
  }
  return [...chunks, rest];
}

function fileOf({ path, name, mimeType }: Attachment): Promise<FileUpload> | undefined {
  if (path === undefined) return undefined;
  return readFile(path).then((data) => ({ data, filename: name ?? basename(path), mimeType }));
}
