import { stripVTControlCharacters } from "node:util";
import { endOfText } from "@openclaw/foundation";
import { droppedPaths, resolved } from "./dropped-paths.js";
import { type AttachedImage, type ImageFile, readImageFile, sizeText } from "./image-file.js";

/** Maximum number of images of a message. */
const MOST_IMAGES = 20;
const LONGEST_NAME = 40;
const MARK = /\[image (\d+): [^\]\n]*\]/g;
/** Mark of an image at the end of a text, with the space that follows a mark. */
const LAST_MARK = /\[image \d+: [^\]\n]*\] ?$/;
/** `@path`, also quoted or with escaped spaces; an address with `@` in it is another word. */
const NAMED = /(?:^|(?<=\s))@(?:"([^"\n]+)"|'([^'\n]+)'|((?:\\.|[^\s\\])+))/g;

/** Images of the draft of a message. */
export interface Attachments {
  readonly images: readonly AttachedImage[];
  /** Why files that the draft names are not attached. */
  readonly problems: readonly string[];
}

/**
 * Images in the input of a chat. A pasted or dropped path becomes a mark such as `[image 1: shot.png]`, whose file is
 * read at once, because programs delete the files of screenshots; without its mark an image is not sent. An `@path`
 * is read when the message is sent.
 */
export class InputImages {
  readonly #folder: string;
  readonly #pasted = new Map<number, AttachedImage>();
  /** Files that the draft names, while it names them. */
  readonly #named = new Map<string, ImageFile>();

  /** @param folder - folder of relative paths */
  constructor(folder: string) {
    this.#folder = folder;
  }

  /**
   * Returns a paste as the input shows it.
   * @param text - pasted text
   * @returns marks instead of the paths of images; any other text as it is, with the reason for a file that looks like
   *   an image and cannot be attached
   */
  paste(text: string): { readonly text: string; readonly problem?: string | undefined } {
    let problem: string | undefined;
    for (const paths of droppedPaths(text, this.#folder)) {
      const files = paths.map(readImageFile);
      if (files.length === 0 || files.includes(undefined)) continue;
      problem ??= files.find((file) => file?.problem !== undefined)?.problem;
      const images = files.flatMap((file) => (file?.image === undefined ? [] : [file.image]));
      if (images.length < paths.length) continue;
      return { text: `${images.map((image) => this.#markOf(image)).join(" ")} ` };
    }
    return { text, problem };
  }

  /**
   * Returns what a draft attaches.
   * @param draft - text of the input
   */
  of(draft: string): Attachments {
    const images: AttachedImage[] = [];
    const problems: string[] = [];
    for (const [, id] of draft.matchAll(MARK)) {
      const image = this.#pasted.get(Number(id));
      if (image !== undefined) images.push(image);
    }
    const named = [...draft.matchAll(NAMED)].map(([, double, single, bare = ""]) =>
      resolved(double ?? single ?? bare.replace(/\\(.)/g, "$1"), this.#folder),
    );
    for (const path of this.#named.keys()) if (!named.includes(path)) this.#named.delete(path);
    for (const path of new Set(named)) {
      if (!this.#named.has(path)) this.#named.set(path, readImageFile(path));
      const file = this.#named.get(path);
      if (file?.image !== undefined) images.push(file.image);
      else if (file?.problem !== undefined) problems.push(file.problem);
    }
    const unsent = images.length - MOST_IMAGES;
    if (unsent > 0)
      problems.push(`a message has at most ${MOST_IMAGES} images; ${unsent} stay out`);
    return { images: images.slice(0, MOST_IMAGES), problems };
  }

  /**
   * Returns a message as the history keeps it: with the paths of its images, which a later chat can read again.
   * @param text - message with marks
   */
  withPaths(text: string): string {
    return text.replace(MARK, (mark, id: string) => {
      const path = this.#pasted.get(Number(id))?.path;
      if (path === undefined) return mark;
      return /[\s"'\\]/.test(path) ? `@"${path}"` : `@${path}`;
    });
  }

  #markOf(image: AttachedImage): string {
    const id = this.#pasted.size + 1;
    this.#pasted.set(id, image);
    return `[image ${id}: ${shortName(image.name)}]`;
  }
}

/**
 * Returns the length of the mark of an image that ends a text; 0 without one.
 * @param text - text before the cursor
 */
export function lastMarkLength(text: string): number {
  return LAST_MARK.exec(text)?.[0].length ?? 0;
}

/**
 * Returns images as one line.
 * @param images - images of a message
 */
export function attachedText(images: readonly AttachedImage[]): string {
  return `attached: ${images.map(({ name, bytes }) => `${shortName(name)} (${sizeText(bytes)})`).join(", ")}`;
}

function shortName(name: string): string {
  const plain = stripVTControlCharacters(name).replace(/[[\]\p{Cc}]/gu, "_");
  return plain.length <= LONGEST_NAME ? plain : `…${endOfText(plain, LONGEST_NAME - 1)}`;
}
