import { httpRequest, log } from "./host";
import { addressOf, bytesOf, result, textOf } from "./memory";

/** Response of a request, or the reason why there is none. */
export class Answer {
  status: i32 = 0;
  body: string = "";
  error: string = "";
}

/** Sends a request. The host adds the credentials. */
export function send(method: string, url: string, headers: string, body: string): Answer {
  const texts = [bytesOf(method), bytesOf(url), bytesOf(headers), bytesOf(body)];
  const at = result(64);
  httpRequest(
    addressOf(texts[0]), texts[0].byteLength, addressOf(texts[1]), texts[1].byteLength,
    addressOf(texts[2]), texts[2].byteLength, body == "" ? 0 : 1, addressOf(texts[3]), texts[3].byteLength,
    0, 0, at,
  );
  const answer = new Answer();
  if (load<u8>(at) == 0) {
    answer.status = load<u16>(at + 4);
    answer.body = textOf(load<usize>(at + 16), load<i32>(at + 20));
  } else answer.error = textOf(load<usize>(at + 4), load<i32>(at + 8));
  return answer;
}

/** Writes a line to the log of the host, with the level `info`. */
export function note(text: string): void {
  const bytes = bytesOf(text);
  log(2, addressOf(bytes), bytes.byteLength);
}
