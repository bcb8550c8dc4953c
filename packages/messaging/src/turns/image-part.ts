import { imageTypeOf } from "@openclaw/foundation";
import type { ImagePart } from "@openclaw/plugin-sdk/tools";
import { MessageRefusedError } from "../errors.js";

const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;
/** Characters of an image in base64, the most that common model providers accept. */
const LONGEST = 5_000_000;

/**
 * Returns an image of a message as models receive it. Its bytes decide the type, which senders often declare wrong.
 * @param image - content in base64
 * @param index - position among the images of the message, from 0
 * @throws MessageRefusedError when models do not accept it
 */
export function imagePart({ data }: { readonly data: string }, index: number): ImagePart {
  if (data.length > LONGEST) {
    const problem = `has ${data.length} characters of base64, and models accept ${LONGEST}; send a smaller one`;
    throw refused(index, problem);
  }
  if (data.length % 4 !== 0 || !BASE64.test(data)) {
    throw refused(
      index,
      "is not base64; send the bytes of the file in base64, without line breaks",
    );
  }
  const mimeType = imageTypeOf(Buffer.from(data.slice(0, 32), "base64"));
  if (mimeType === undefined) {
    throw refused(index, "is not a PNG, JPEG, GIF or WebP image; convert it and send it again");
  }
  return { type: "image", mimeType, data };
}

function refused(index: number, problem: string): MessageRefusedError {
  return new MessageRefusedError("unacceptable", `image ${index + 1} ${problem}`);
}
