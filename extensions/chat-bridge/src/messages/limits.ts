import type { OutgoingResponse } from "@openclaw/plugin-sdk/channel-core";
import { startOfText } from "@openclaw/plugin-sdk/kit";

export type Attachment = NonNullable<OutgoingResponse["attachments"]>[number];
type Buttons = NonNullable<OutgoingResponse["buttons"]>;

/** Limits of the messages of a platform; none where a limit is absent. */
export interface MessageLimits {
  /** Maximum length of a text after its conversion, in characters; a text whose conversion is longer is sent as it is. */
  readonly text?: number;
  /** Maximum length of the text above buttons in characters; a longer one is a separate message. */
  readonly buttonText?: number;
  /** Maximum number of buttons; the others are below further messages. */
  readonly buttons?: number;
  /** Maximum length of the label of a button; a longer one is shortened. */
  readonly label?: number;
  /** Maximum number of files; the others are in further messages. */
  readonly files?: number;
}

const NONE = Number.POSITIVE_INFINITY;

/**
 * Divides the buttons of a message into those of several, with labels that the platform shows whole.
 * @param limits - limits of the platform
 */
export function buttonGroups(
  buttons: Buttons,
  { buttons: most = NONE, label = NONE }: MessageLimits,
): readonly Buttons[] {
  const rows = withShortLabels(buttons, label);
  const all = rows.flat();
  if (all.length === 0) return [];
  return all.length <= most ? [rows] : groupsOf(all, most).map((group) => [group]);
}

/**
 * Divides files into those of several messages.
 * @param limits - limits of the platform
 */
export function fileGroups(
  files: readonly Attachment[],
  { files: most = NONE }: MessageLimits,
): readonly (readonly Attachment[])[] {
  return files.length <= most ? [files] : groupsOf(files, most);
}

/**
 * Returns the note for people about a file that is not sent.
 * @param reason - reason for which it is not sent
 */
export function fileNote({ name = "file" }: Attachment, reason: string): string {
  return `[${name} was not sent: ${reason}]`;
}

/**
 * Returns the reason for which a platform does not take a file because of its size.
 * @param most - greatest size in MB
 */
export function sizeProblem(
  { bytes }: Pick<Attachment, "bytes">,
  platform: string,
  most: number,
): string | undefined {
  const size = bytes / (1024 * 1024);
  if (size <= most) return undefined;
  return `it has ${Math.ceil(size)} MB, and ${platform} takes at most ${most} MB`;
}

/** Shortens labels that are too long; labels that would be the same get a number. */
function withShortLabels(rows: Buttons, most: number): Buttons {
  const used = new Set<string>();
  return rows.map((row) =>
    row.map((button) => {
      let label = shortened(button.label, most, "…");
      for (let count = 2; used.has(label) && most < NONE; count += 1) {
        label = shortened(button.label, most, `… ${count}`);
      }
      used.add(label);
      return { ...button, label };
    }),
  );
}

function shortened(label: string, most: number, end: string): string {
  if (label.length <= most && end === "…") return label;
  return startOfText(label, most - end.length) + end;
}

function groupsOf<Item>(items: readonly Item[], most: number): readonly (readonly Item[])[] {
  const groups: (readonly Item[])[] = [];
  for (let start = 0; start < items.length; start += most) {
    groups.push(items.slice(start, start + most));
  }
  return groups;
}
